/** The page of an audit: what to do first, the fleet, its findings, its volumes, and what could not be evaluated. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { AuditReport } from '../../../core/report/audit-report.ts';
import { comparedSources } from '../../../core/second-opinion/totals.ts';
import { accountNames, withAccountNames } from '../../wording/accounts.ts';
import { Text } from '../shared/text.tsx';
import { AccountsSection } from './accounts-section.tsx';
import { ChangesSection } from './changes-section.tsx';
import { CostSection } from './cost-section.tsx';
import { CoverageSection } from './coverage-section.tsx';
import { FindingSection } from './finding-section.tsx';
import { FindingsSection } from './findings-section.tsx';
import { lookupOf } from './lookup.ts';
import { OpinionSection } from './opinion-section.tsx';
import { OverviewSection } from './overview-section.tsx';
import { PageHead } from './page-head.tsx';
import { TopRecommendationsSection } from './top-recommendations-section.tsx';
import { type PageHost, usePageState } from './use-page-state.ts';
import { VolumesSection } from './volumes-section.tsx';
import { WeeksSection } from './weeks-section.tsx';

/** Of a page there is one. */
const MainContent = ({ children }: { children: ComponentChildren }) => (
  <main id="content" class="report-content" tabIndex={-1}>
    {children}
  </main>
);
const HostedContent = ({ children }: { children: ComponentChildren }) => (
  <div class="report-content">{children}</div>
);

interface AuditPageProps {
  report: AuditReport;
  /** The page that it is a part of. */
  host?: PageHost | null;
}

export function AuditPage({ report, host = null }: AuditPageProps) {
  const { result } = report;
  const { accountCoverage, fleetWeeks = [] } = result;
  const findings = useMemo(() => withAccountNames(result), [result]);
  const compared = useMemo(() => comparedSources(result), [result]);
  const names = useMemo(() => accountNames(accountCoverage), [accountCoverage]);
  const control = usePageState(findings, host);
  const lookup = useMemo(() => lookupOf(report), [report]);
  const { open, missing, close } = control;
  const Content = host === null ? MainContent : HostedContent;
  return (
    <>
      {host === null ? (
        <a class="skip" href="#content">
          Skip to the content
        </a>
      ) : null}
      <div class={host === null ? 'page audit-report' : 'audit-report'}>
        <PageHead report={report} isHosted={host !== null} />
        <Content>
          {missing === null ? null : (
            <p role="alert" class="banner">
              The link asks for finding <Text value={missing} most={60} />, which is not in this report. It
              may have been resolved before this run, or the link is of another one.{' '}
              <a href="#findings">All findings</a>
            </p>
          )}
          <TopRecommendationsSection findings={findings} summary={result.summary} />
          {report.comparison === null ? null : <ChangesSection comparison={report.comparison} />}
          <OverviewSection result={result} />
          {accountCoverage === undefined ? null : (
            <AccountsSection result={result} coverage={accountCoverage} control={control} />
          )}
          {fleetWeeks.length === 0 ? null : <WeeksSection weeks={fleetWeeks} />}
          <FindingsSection
            findings={findings}
            names={names}
            control={control}
            fileName={`stripewise-${result.runId}`}
          />
          {open.length === 0 ? null : (
            <section aria-labelledby="opened" class="opened">
              <h2 id="opened">Findings in detail</h2>
              {open.map((finding) => (
                <FindingSection
                  key={finding.id}
                  finding={finding}
                  lookup={lookup}
                  onClose={() => close(finding.id)}
                />
              ))}
            </section>
          )}
          {compared.length === 0 ? null : (
            <OpinionSection
              compared={compared}
              names={names}
              control={control}
              fileName={`stripewise-${result.runId}`}
            />
          )}
          <VolumesSection
            volumes={result.volumes}
            names={names}
            control={control}
            fileName={`stripewise-${result.runId}`}
          />
          <CoverageSection report={report} />
          <CostSection result={result} />
        </Content>
        <footer class="foot">
          <p>
            Made by stripewise, run <Text value={result.runId} most={80} />. All of it is in this one file:
            nothing is fetched, nothing is sent.
          </p>
        </footer>
      </div>
    </>
  );
}
