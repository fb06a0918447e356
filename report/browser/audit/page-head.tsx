/** What this report is: of what, of when, how much of it could be evaluated, what the audit cost. */
import { accountsNotWhole } from '../../../core/audit/accounts.ts';
import type { AuditReport } from '../../../core/report/audit-report.ts';
import type { AccountCoverage } from '../../../core/schemas/accounts.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import { severities } from '../../../core/schemas/finding-kinds.ts';
import { comparedSources } from '../../../core/second-opinion/totals.ts';
import { accountsText } from '../../wording/accounts.ts';
import { accountText } from '../../wording/words.ts';
import { count, notKnown, usd, utc, whole } from '../shared/format.ts';
import { useNarrow } from '../shared/narrow.ts';
import { usePrinting } from '../shared/printing.ts';
import { Text } from '../shared/text.tsx';
import { PrintButton, ThemeSwitch } from '../shared/theme.tsx';
import { Fact, Tile } from './facts.tsx';

/** Of several those that were read: the others have a section. */
const readOf = (all: readonly AccountCoverage[]): string[] =>
  all.filter(({ state }) => state !== 'not-read').map((account) => accountText(account));

const accountsOf = ({ accounts = [], findings }: AuditResult): string[] =>
  [...new Set([...accounts, ...findings.flatMap(({ resource }) => resource.account ?? [])])].sort();

const regionsOf = ({ volumes, findings }: AuditResult): string[] =>
  [...new Set([...volumes, ...findings.map(({ resource }) => resource)].map(({ region }) => region))].sort();

function Texts({ values, most = 6 }: { values: readonly string[]; most?: number }) {
  if (values.length === 0) return <span class="unknown">{notKnown}</span>;
  const left = values.length - most;
  return (
    <>
      {values.slice(0, most).map((value, i) => (
        <span key={value}>
          {i > 0 ? ', ' : ''}
          <Text value={value} most={60} />
        </span>
      ))}
      {left > 0 ? ` and ${whole(left)} more` : ''}
    </>
  );
}

function Tiles({ result }: { result: AuditResult }) {
  const { coverage, findings } = result;
  const found = severities.map((severity) => ({
    severity,
    number: findings.filter((finding) => finding.severity === severity).length,
  }));
  return (
    <ul class="tiles" aria-label="Findings and coverage in figures">
      {found.map(({ severity, number }) => (
        <Tile key={severity} figure={whole(number)} text={severity} tone={number > 0 ? severity : ''} />
      ))}
      <Tile figure={whole(coverage.volumes)} text={coverage.volumes === 1 ? 'volume' : 'volumes'} />
      <Tile figure={whole(coverage.evaluated)} text="evaluated" />
      <Tile figure={whole(coverage.unknown.length)} text="unknown" />
    </ul>
  );
}

const links = [
  ['first', 'Top recommendations'],
  ['changes', 'Changes'],
  ['overview', 'The fleet'],
  ['accounts', 'Accounts'],
  ['findings', 'Findings'],
  ['compared', 'Compared'],
  ['volumes', 'Volumes'],
  ['coverage', 'Coverage'],
  ['cost', 'Cost of the audit'],
] as const;

interface PageHeadProps {
  report: AuditReport;
  /** Its page has these controls. */
  isHosted: boolean;
}

export function PageHead({ report: { result, label, madeAt, comparison }, isHosted }: PageHeadProps) {
  const { window, coverage, cost, accountCoverage } = result;
  const notWhole = accountsNotWhole(result);
  const { instances } = coverage;
  const isOpen = !useNarrow();
  const isPrinting = usePrinting();
  return (
    <header class="head">
      {isHosted ? null : (
        <div class="bar">
          <span class="brand">stripewise</span>
          <div class="bar-controls no-print">
            <ThemeSwitch />
            <PrintButton />
          </div>
        </div>
      )}
      {label === null ? null : (
        <p class="banner">
          <Text value={label} />
        </p>
      )}
      {accountCoverage === undefined || notWhole.length === 0 ? null : (
        <p class="banner">
          Accounts: {accountsText(accountCoverage)}{' '}
          <a href="#accounts">Which were not read in whole, and why</a>
        </p>
      )}
      <h1>Audit of EBS volumes</h1>
      <Tiles result={result} />
      <details class="about" open={isOpen || isPrinting}>
        <summary>About this run</summary>
        <dl class="run-facts">
          <Fact name="Account">
            <Texts values={accountCoverage === undefined ? accountsOf(result) : readOf(accountCoverage)} />
          </Fact>
          <Fact name="Region">
            <Texts values={regionsOf(result)} />
          </Fact>
          <Fact name="Window">
            {window === null ? 'no figures in it' : `${utc(window.start)} to ${utc(window.end)}`}
          </Fact>
          <Fact name="Generated">{utc(madeAt)}</Fact>
          <Fact name="Instances">
            {whole(instances.evaluated)} of {whole(instances.total)} evaluated on their own EBS limits
          </Fact>
          <Fact name="Reading cost">
            {cost.apiCalls === 0
              ? 'nothing: made from files'
              : `${usd(cost.usd)}, ${count(cost.apiCalls, 'call')}, ${count(cost.metricsRequested, 'metric')}`}
          </Fact>
        </dl>
      </details>
      <nav class="page-contents no-print" aria-label="Sections of this page">
        <ul>
          {links
            .filter(([id]) => id !== 'changes' || comparison !== null)
            .filter(([id]) => id !== 'accounts' || accountCoverage !== undefined)
            .filter(([id]) => id !== 'compared' || comparedSources(result).length > 0)
            .map(([id, text]) => (
              <li key={id}>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
        </ul>
      </nav>
    </header>
  );
}
