/** Which findings and volumes a filter lets through. */
import { bestSavingOf, isAboutMoney } from '../../../core/report/top-recommendations.ts';
import type { VolumeEvaluation } from '../../../core/schemas/audit-result.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import type { SecondOpinion } from '../../../core/schemas/second-opinion.ts';
import { findingLines } from '../../wording/finding-lines.ts';
import { volumeReasonText } from '../../wording/reasons.ts';
import { opinionText, recommendedText } from '../../wording/second-opinion.ts';
import { kubernetesText } from '../../wording/words.ts';
import type { FindingFilter, OpinionFilter, VolumeFilter } from './page-state.ts';

/** What a choice offers. */
export const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();

/** With what is searched in it, made once. */
interface Searchable<Item> {
  item: Item;
  text: string;
}

const searched = (...texts: (string | null | undefined)[]): string =>
  texts
    .filter((text) => text)
    .join('\n')
    .toLowerCase();

export const searchableFinding = (finding: Finding): Searchable<Finding> => {
  const { kind, resource } = finding;
  return {
    item: finding,
    text: searched(
      finding.id,
      kind,
      kind.replaceAll('-', ' '),
      resource.id,
      resource.name,
      resource.kubernetes && kubernetesText(resource.kubernetes),
      resource.accountName,
      ...tagsOf(finding),
      ...findingLines(finding).map(({ text }) => text),
    ),
  };
};

export const searchableVolume = (volume: VolumeEvaluation): Searchable<VolumeEvaluation> => ({
  item: volume,
  text: searched(
    volume.volumeId,
    volume.name,
    volume.kubernetes && kubernetesText(volume.kubernetes),
    volume.reason && volumeReasonText(volume.reason),
  ),
});

export const searchableOpinion = (opinion: SecondOpinion): Searchable<SecondOpinion> => ({
  item: opinion,
  text: searched(opinion.volumeId, opinion.name, recommendedText(opinion), opinionText(opinion)),
});

/** Its tags as far as they are in the report: those that the configuration or `--resource` names. */
export const tagsOf = ({ resource }: Finding): string[] =>
  Object.entries(resource.tags ?? {}).map(([key, value]) => `${key}=${value}`);

/** Each word has to be somewhere. */
const hasWords = (text: string, asked: string): boolean =>
  asked
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));

const isAsked = (asked: string, value: string | null): boolean => asked === '' || asked === value;

const unknownAccount = 'not known';
export const accountOf = ({ resource }: Finding): string => resource.account ?? unknownAccount;
/** By money, whatever its kind: what ends a trouble may cost less too. */
const isAbout = (asked: string, finding: Finding): boolean => {
  if (asked === '') return true;
  return asked === 'savings' ? bestSavingOf(finding) !== null : asked === 'trouble' && !isAboutMoney(finding);
};

export const filteredFindings = (findings: readonly Searchable<Finding>[], asked: FindingFilter): Finding[] =>
  findings
    .filter(
      ({ item, text }) =>
        isAsked(asked.severity, item.severity) &&
        isAsked(asked.kind, item.kind) &&
        isAsked(asked.region, item.resource.region) &&
        isAsked(asked.account, accountOf(item)) &&
        (asked.tag === '' || tagsOf(item).includes(asked.tag)) &&
        isAbout(asked.about, item) &&
        hasWords(text, asked.text),
    )
    .map(({ item }) => item);

export const filteredVolumes = (
  volumes: readonly Searchable<VolumeEvaluation>[],
  asked: VolumeFilter,
): VolumeEvaluation[] =>
  volumes
    .filter(
      ({ item, text }) =>
        isAsked(asked.status, item.status) &&
        isAsked(asked.type, item.volumeType) &&
        isAsked(asked.region, item.region) &&
        isAsked(asked.account, item.account ?? null) &&
        hasWords(text, asked.text),
    )
    .map(({ item }) => item);

export const filteredOpinions = (
  opinions: readonly Searchable<SecondOpinion>[],
  asked: OpinionFilter,
): SecondOpinion[] =>
  opinions
    .filter(
      ({ item, text }) =>
        isAsked(asked.label, item.label) &&
        isAsked(asked.source, item.source) &&
        isAsked(asked.region, item.region) &&
        isAsked(asked.account, item.account) &&
        hasWords(text, asked.text),
    )
    .map(({ item }) => item);

export const sumOfMinutes = ({ throttledMinutesByCause }: VolumeEvaluation): number =>
  Object.values(throttledMinutesByCause).reduce((sum, minutes) => sum + minutes, 0);
