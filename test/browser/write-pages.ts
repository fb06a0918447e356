/** Writes the pages that tests open: reports and what they are made from into .demo/pages, the planner into dist. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { auditReport } from '../../core/report/audit-report.ts';
import { auditPage } from '../../report/pages/audit-page.ts';
import { cardPage } from '../../report/pages/card-page.ts';
import { resultOfAccounts } from '../fixtures/accounts.ts';
import { aFleetSpan } from '../fixtures/digests.ts';
import { campaignCardReport, layoutsCard, repeatsCard } from './card-reports.ts';
import { comparedReport } from './compared-report.ts';
import { fleetReport } from './fleet-report.ts';
import { dataFile, type PageName, pageFile } from './places.ts';
import { untrustedCard, untrustedReport } from './untrusted-reports.ts';
import '../../tools/build-planner.ts';

function keep(name: PageName, html: string, data: unknown): void {
  mkdirSync(dirname(pageFile(name)), { recursive: true });
  writeFileSync(pageFile(name), html);
  writeFileSync(dataFile(name), JSON.stringify(data));
}

const someWeek = aFleetSpan({ from: '2026-11-09', to: '2026-11-15', daysEvaluated: 5 });
const weekUnknown = aFleetSpan({
  ...{ from: '2026-11-16', to: '2026-11-22', daysEvaluated: 0, throttledMinutes: null, fleet: null },
});

const accountsReport = () =>
  auditReport({ ...resultOfAccounts(), fleetWeeks: [someWeek, weekUnknown] }, [], {
    madeAt: '2026-11-20T00:00:00Z',
    label: null,
    comparison: null,
  });

const audits = {
  audit: fleetReport,
  accounts: accountsReport,
  compared: comparedReport,
  'untrusted-audit': untrustedReport,
};
for (const [name, make] of Object.entries(audits)) {
  const made = await make();
  keep(name as PageName, await auditPage(made), made.report);
}
const cards = {
  layouts: layoutsCard,
  repeats: repeatsCard,
  campaign: campaignCardReport,
  'untrusted-card': untrustedCard,
};
for (const [name, make] of Object.entries(cards)) keep(name as PageName, await cardPage(make()), make());
