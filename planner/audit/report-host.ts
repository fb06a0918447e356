/** The planner, as the page that a report is shown in: which addresses are whose. */
import { addressOf as addressInReport, findingOfAnchor } from '../../report/browser/audit/page-state.ts';
import type { PageHost } from '../../report/browser/audit/use-page-state.ts';
import { addressOf } from '../fragment.ts';

/** The link that skips to the content is of every page. */
const skipAnchor = '#content';

export const plannerHost: PageHost = {
  ownsAddress: (hash) => addressOf(hash) !== null || hash === skipAnchor,
};

/** An anchor within the report that is shown, as far as one is; of findings that are not there it says so itself. */
export function isOfReport(hash: string): boolean {
  const report = document.querySelector('.audit-report');
  if (report === null || plannerHost.ownsAddress(hash)) return false;
  const { anchor } = addressInReport(hash);
  return anchor === '' || findingOfAnchor(anchor) !== null || report.contains(elementOf(anchor));
}

const elementOf = (anchor: string): HTMLElement | null => document.getElementById(anchor);

/** An anchor of anything on the page. */
export const isOnPage = (hash: string): boolean => elementOf(hash.replace(/^#/, '')) !== null;
