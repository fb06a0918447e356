/** The page's state and its address, each after the other; and the findings that are open. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Finding } from '../../../core/schemas/finding.ts';
import {
  addressOf,
  findingAnchor,
  findingOfAnchor,
  hashOf,
  type PageState,
  usualState,
} from './page-state.ts';

/** A page in a sandbox may not change its address; then it only cannot be sent on. */
function writeAddress(hash: string): void {
  const now = location.hash.replace(/^#/, '');
  if (now === hash) return;
  try {
    history.replaceState(null, '', `${location.pathname}${location.search}${hash === '' ? '' : `#${hash}`}`);
  } catch {
    // All else works without it.
  }
}

export interface PageControl {
  state: PageState;
  change: (state: Partial<PageState>) => void;
  /** The last that was opened first. */
  open: readonly Finding[];
  close: (findingId: string) => void;
  /** What the address asked for and is not in this report; null where it is. */
  missing: string | null;
}

/** Shown and focused, so that a keyboard and a screen reader go on from there. */
function goTo(anchor: string): void {
  const element = document.getElementById(anchor);
  if (element === null) return;
  // At once: a page that moves while it is filled ends up somewhere else.
  element.scrollIntoView({ block: 'start', behavior: 'instant' });
  element.focus({ preventScroll: true });
}

/** Another page that shows a report in it, and has addresses of its own. */
export interface PageHost {
  ownsAddress: (hash: string) => boolean;
}

const nothingAsked = { anchor: '', state: null };

/** @param host null: the report is the page. */
export function usePageState(findings: readonly Finding[], host: PageHost | null): PageControl {
  const byId = useMemo(() => new Map(findings.map((finding) => [finding.id, finding])), [findings]);
  const first = useMemo(
    () => (host?.ownsAddress(location.hash) === true ? nothingAsked : addressOf(location.hash)),
    [host],
  );
  const [state, setState] = useState<PageState>(first.state ?? usualState);
  const [anchor, setAnchor] = useState(first.anchor);
  const [openIds, setOpenIds] = useState<string[]>([]);
  const [visit, setVisit] = useState(0);
  const isFirst = useRef(true);

  useEffect(() => {
    const went = (): void => {
      const address = host?.ownsAddress(location.hash) === true ? nothingAsked : addressOf(location.hash);
      if (address.state !== null) setState(address.state);
      setAnchor(address.anchor);
      setVisit((before) => before + 1);
    };
    // A link to where the address already is changes nothing, yet somebody wants to go there.
    const clicked = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
      if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const href = link.getAttribute('href') ?? '';
      if (host?.ownsAddress(href) === true) return;
      setAnchor(addressOf(href).anchor);
      setVisit((before) => before + 1);
    };
    addEventListener('hashchange', went);
    document.addEventListener('click', clicked);
    return () => {
      removeEventListener('hashchange', went);
      document.removeEventListener('click', clicked);
    };
  }, [host]);

  const asked = findingOfAnchor(anchor);
  useEffect(() => {
    if (asked !== null && byId.has(asked))
      setOpenIds((before) => (before.includes(asked) ? before : [asked, ...before]));
  }, [asked, byId, visit]);

  const isOpen = asked !== null && openIds.includes(asked);
  useEffect(() => {
    // Nobody is moved who opened the page at its beginning.
    if (isFirst.current && anchor === '') {
      isFirst.current = false;
      return;
    }
    isFirst.current = false;
    if (anchor !== '') goTo(anchor);
  }, [anchor, isOpen, visit]);

  useEffect(() => {
    // Within another page the address says what is asked of that page; links of the report are still gone to.
    if (host === null) writeAddress(hashOf(anchor, state));
  }, [anchor, state, visit, host]);

  const change = useCallback(
    (part: Partial<PageState>) => setState((before) => ({ ...before, ...part })),
    [],
  );
  const close = useCallback((findingId: string) => {
    setOpenIds((before) => before.filter((id) => id !== findingId));
    setAnchor((before) => (before === findingAnchor(findingId) ? 'findings' : before));
  }, []);
  return {
    state,
    change,
    open: useMemo(() => openIds.flatMap((id) => byId.get(id) ?? []), [openIds, byId]),
    close,
    missing: asked !== null && !byId.has(asked) ? asked : null,
  };
}
