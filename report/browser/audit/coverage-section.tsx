/** What could not be evaluated, and why; what a reader should know beside the findings. */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { AuditReport } from '../../../core/report/audit-report.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import { accountNames } from '../../wording/accounts.ts';
import { noticeTextIn } from '../../wording/audit-notices.ts';
import { priceSourceText } from '../../wording/catalog.ts';
import { instanceReasonText, volumeReasonText, withoutSeriesText } from '../../wording/reasons.ts';
import { benchmarkVolumesText, thresholdTexts } from '../../wording/words.ts';
import { count, notKnown, utc, whole } from '../shared/format.ts';
import { Text } from '../shared/text.tsx';

interface Reason {
  reason: string;
  ids: string[];
}

function byReason(entries: readonly { id: string; reason: string }[]): Reason[] {
  const ids = new Map<string, string[]>();
  for (const { id, reason } of entries) {
    const before = ids.get(reason);
    if (before === undefined) ids.set(reason, [id]);
    else before.push(id);
  }
  return [...ids].map(([reason, of]) => ({ reason, ids: of })).sort((a, b) => b.ids.length - a.ids.length);
}

const maxShown = 50;

function ShortList({ children, all }: { children: (most: number) => ComponentChildren; all: number }) {
  const [most, setMost] = useState(maxShown);
  return (
    <>
      {children(most)}
      {all > most ? (
        <button type="button" class="button small no-print" onClick={() => setMost(all)}>
          Show {whole(all - most)} more
        </button>
      ) : null}
    </>
  );
}

function Ids({ reason: { reason, ids }, one }: { reason: Reason; one: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <strong>{count(ids.length, one)}</strong>: <Text value={reason} most={400} />
        </summary>
        {isOpen ? (
          <ShortList all={ids.length}>
            {(most) => (
              <ul class="ids">
                {ids.slice(0, most).map((id) => (
                  <li key={id}>
                    <Text value={id} most={100} />
                  </li>
                ))}
              </ul>
            )}
          </ShortList>
        ) : null}
      </details>
    </li>
  );
}

function Reasons({ entries, one }: { entries: readonly { id: string; reason: string }[]; one: string }) {
  const reasons = useMemo(() => byReason(entries), [entries]);
  return (
    <ShortList all={reasons.length}>
      {(most) => (
        <ul class="plain">
          {reasons.slice(0, most).map((reason) => (
            <Ids key={reason.reason} reason={reason} one={one} />
          ))}
        </ul>
      )}
    </ShortList>
  );
}

export function Part({ heading, children }: { heading: string; children: ComponentChildren }) {
  return (
    <div class="coverage-part">
      <h3>{heading}</h3>
      {children}
    </div>
  );
}

export function Texts({ texts, empty }: { texts: readonly string[]; empty: string }) {
  if (texts.length === 0) return <p class="empty">{empty}</p>;
  return (
    <ShortList all={texts.length}>
      {(most) => (
        <ul>
          {texts.slice(0, most).map((text, i) => (
            <li key={`${i} ${text}`}>
              <Text value={text} />
            </li>
          ))}
        </ul>
      )}
    </ShortList>
  );
}

function Prices({ prices }: Pick<AuditResult, 'prices'>) {
  if (prices.length === 0) return <p class="empty">No prices were used.</p>;
  return (
    <ul>
      {prices.map(({ region, ebsAsOf, refreshedAt, sources }) => (
        <li key={region}>
          <Text value={region} most={40} />: EBS list prices {ebsAsOf === null ? notKnown : `of ${ebsAsOf}`},{' '}
          {refreshedAt === null ? 'from the tables that come with stripewise' : `read ${utc(refreshedAt)}`}
          {sources.length === 0 ? null : (
            <span class="faint">
              {' '}
              (<Text value={sources.map(priceSourceText).join(', ')} most={400} />)
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

export function CoverageSection({ report: { result, withoutSeries } }: { report: AuditReport }) {
  const { coverage, notices, prices } = result;
  const { instances, metricsWithoutResource } = coverage;
  const unknown = useMemo(
    () => coverage.unknown.map((one) => ({ id: one.volumeId, reason: volumeReasonText(one.reason) })),
    [coverage],
  );
  const notEvaluated = useMemo(
    () =>
      instances.notEvaluated.map((one) => ({ id: one.instanceId, reason: instanceReasonText(one.reason) })),
    [instances],
  );
  const noMetrics = metricsWithoutResource.length;
  const textOf = noticeTextIn(accountNames(result.accountCoverage));
  const otherWords = thresholdTexts(result);
  return (
    <section id="coverage" tabIndex={-1} aria-labelledby="coverage-heading">
      <h2 id="coverage-heading">Coverage</h2>
      <p class="lead">
        {whole(coverage.evaluated)} of {count(coverage.volumes, 'volume')} and {whole(instances.evaluated)} of{' '}
        {count(instances.total, 'instance')} could be evaluated. The state of the others is unknown.
        {coverage.excluded === undefined
          ? ''
          : ` ${count(coverage.excluded, 'more volume is', 'more volumes are')} excluded by the configuration, neither read nor evaluated.`}
        {coverage.benchmarkVolumes === undefined ? '' : ` ${benchmarkVolumesText(coverage.benchmarkVolumes)}`}
      </p>
      <Part heading="Volumes that are unknown">
        {unknown.length === 0 ? (
          <p class="empty">None: each volume was evaluated.</p>
        ) : (
          <Reasons entries={unknown} one="volume" />
        )}
      </Part>
      <Part heading="Instances that were not evaluated">
        {notEvaluated.length === 0 ? (
          <p class="empty">{instances.total === 0 ? 'None was described.' : 'None: each was evaluated.'}</p>
        ) : (
          <Reasons entries={notEvaluated} one="instance" />
        )}
      </Part>
      <Part heading="Not read, or not in whole">
        <Texts
          texts={coverage.incomplete.map(textOf)}
          empty="Nothing: every call of AWS was answered in full."
        />
      </Part>
      {noMetrics === 0 ? null : (
        <Part heading="Metrics without a resource">
          <Texts texts={metricsWithoutResource} empty="" />
        </Part>
      )}
      {otherWords.length === 0 ? null : (
        <Part heading="Thresholds that differ from the defaults">
          <Texts texts={otherWords} empty="" />
        </Part>
      )}
      <Part heading="Notes">
        <Texts texts={[...notices.map(textOf), ...withoutSeries.map(withoutSeriesText)]} empty="Nothing." />
      </Part>
      <Part heading="Prices used">
        <Prices prices={prices} />
      </Part>
    </section>
  );
}
