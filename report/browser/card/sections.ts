/** What there is to be seen of a card: the way through its page. */
import type { CardReport } from '../../../core/report/card-report.ts';

export interface SectionLink {
  id: string;
  title: string;
}

export function sectionsOf({ grades, campaign }: CardReport): SectionLink[] {
  const { tests, curves, comparison, repeats, notes } = grades;
  const all: (SectionLink & { isThere: boolean })[] = [
    { id: 'grades', title: 'Grades', isThere: true },
    { id: 'campaign', title: 'Campaign', isThere: campaign !== null },
    { id: 'side-by-side', title: 'Side by side', isThere: comparison.length > 0 },
    { id: 'scaling', title: 'Scaling', isThere: curves.length > 0 },
    { id: 'repeats', title: 'Repeats', isThere: repeats.length > 0 },
    { id: 'tests', title: 'Tests', isThere: tests.length > 0 },
    { id: 'notes', title: 'Notes', isThere: notes.length + (campaign?.notes.length ?? 0) > 0 },
    { id: 'scale', title: 'The scale', isThere: true },
  ];
  return all.flatMap(({ id, title, isThere }) => (isThere ? [{ id, title }] : []));
}
