/**
 * What is shown of the page, as its address says it: #finding-ID?severity=critical&q=db. It can be sent to somebody, and an address
 * that somebody else wrote shows nothing that is not there.
 */
import type { Sorting } from '../shared/sorting.ts';

export interface FindingFilter {
  text: string;
  severity: string;
  kind: string;
  region: string;
  account: string;
  /** As KEY=VALUE. */
  tag: string;
  about: string;
}

export interface VolumeFilter {
  text: string;
  status: string;
  type: string;
  region: string;
  account: string;
}

/** Of a comparison with another service. */
export interface OpinionFilter {
  text: string;
  label: string;
  source: string;
  region: string;
  account: string;
}

export interface PageState {
  findings: FindingFilter;
  findingOrder: Sorting;
  volumes: VolumeFilter;
  volumeOrder: Sorting;
  opinions: OpinionFilter;
  opinionOrder: Sorting;
}

export const noFindingFilter: FindingFilter = {
  ...{ text: '', severity: '', kind: '', region: '', account: '', tag: '', about: '' },
};
export const noVolumeFilter: VolumeFilter = { text: '', status: '', type: '', region: '', account: '' };
export const noOpinionFilter: OpinionFilter = { text: '', label: '', source: '', region: '', account: '' };

export const usualState: PageState = {
  findings: noFindingFilter,
  findingOrder: { columnId: 'severity', descending: true },
  volumes: noVolumeFilter,
  volumeOrder: { columnId: 'minutes', descending: true },
  opinions: noOpinionFilter,
  opinionOrder: { columnId: 'label', descending: false },
};

/** The name of each filter in the address; short, as addresses are cut by what they are sent with. */
const findingNames: Record<keyof FindingFilter, string> = {
  ...{ text: 'q', severity: 'severity', kind: 'kind', region: 'region', account: 'account' },
  ...{ tag: 'tag', about: 'about' },
};
const volumeNames: Record<keyof VolumeFilter, string> = {
  ...{ text: 'volume', status: 'status', type: 'type', region: 'volume-region' },
  account: 'volume-account',
};
const opinionNames: Record<keyof OpinionFilter, string> = {
  ...{ text: 'compared', label: 'label', source: 'source', region: 'compared-region' },
  account: 'compared-account',
};
const [findingSort, volumeSort, opinionSort] = ['sort', 'volume-sort', 'compared-sort'];

const maxCharacters = 200;

function read<Filter extends object>(names: Record<keyof Filter, string>, from: URLSearchParams): Filter {
  return Object.fromEntries(
    Object.entries<string>(names).map(([key, name]) => [key, (from.get(name) ?? '').slice(0, maxCharacters)]),
  ) as Filter;
}

function orderOf(text: string | null, usual: Sorting): Sorting {
  if (text === null || text === '') return usual;
  return text.startsWith('-')
    ? { columnId: text.slice(1), descending: true }
    : { columnId: text, descending: false };
}

const orderText = ({ columnId, descending }: Sorting): string => `${descending ? '-' : ''}${columnId}`;

interface Address {
  /** What is gone to: an element's id; empty where it is the page. */
  anchor: string;
  /** Null where the address says nothing of it: all stays as it is. */
  state: PageState | null;
}

/** Of a link that is broken: what is left of it as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param hash with or without its #. */
export function addressOf(hash: string): Address {
  const text = hash.replace(/^#/, '');
  const at = text.indexOf('?');
  if (at < 0) return { anchor: decoded(text), state: null };
  const from = new URLSearchParams(text.slice(at + 1));
  return {
    anchor: decoded(text.slice(0, at)),
    state: {
      findings: read(findingNames, from),
      findingOrder: orderOf(from.get(findingSort), usualState.findingOrder),
      volumes: read(volumeNames, from),
      volumeOrder: orderOf(from.get(volumeSort), usualState.volumeOrder),
      opinions: read(opinionNames, from),
      opinionOrder: orderOf(from.get(opinionSort), usualState.opinionOrder),
    },
  };
}

/** Without its #; only what is not as usual stands in it. */
export function hashOf(anchor: string, state: PageState): string {
  const to = new URLSearchParams();
  const add = <Filter extends object>(names: Record<keyof Filter, string>, filter: Filter): void => {
    for (const key of Object.keys(names) as (keyof Filter & string)[])
      if (filter[key] !== '') to.set(names[key], String(filter[key]));
  };
  const addOrder = (name: string, order: Sorting, usual: Sorting): void => {
    if (orderText(order) !== orderText(usual)) to.set(name, orderText(order));
  };
  add(findingNames, state.findings);
  addOrder(findingSort, state.findingOrder, usualState.findingOrder);
  add(volumeNames, state.volumes);
  addOrder(volumeSort, state.volumeOrder, usualState.volumeOrder);
  add(opinionNames, state.opinions);
  addOrder(opinionSort, state.opinionOrder, usualState.opinionOrder);
  const query = to.toString();
  return query === '' ? encodeURIComponent(anchor) : `${encodeURIComponent(anchor)}?${query}`;
}

export const findingAnchor = (findingId: string): string => `finding-${findingId}`;

/** The finding that an anchor is about; null where it is about something else. */
export const findingOfAnchor = (anchor: string): string | null =>
  anchor.startsWith('finding-') ? anchor.slice('finding-'.length) : null;
