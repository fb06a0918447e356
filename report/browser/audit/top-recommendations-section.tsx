/** What to do first, in two lists: who waits the longest, and what saves the most. */

import { useMemo, useState } from 'preact/hooks';
import { type FirstThing, topRecommendations } from '../../../core/report/top-recommendations.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { problemInShort } from '../../wording/finding-lines.ts';
import { mayCostLessText } from '../../wording/may-cost-less.ts';
import { fixInShort } from '../../wording/recommendation.ts';
import { count, minutes, usd, usdDelta } from '../shared/format.ts';
import { Text } from '../shared/text.tsx';
import { SeverityBadge } from './severity-badge.tsx';

const usuallyShown = 5;
const maxShown = 25;

function Resource({ thing: { resourceId, name } }: { thing: FirstThing }) {
  return (
    <>
      <Text value={resourceId} most={60} />
      {name === null ? null : (
        <>
          {' '}
          <span class="thing-name">
            <Text value={name} most={40} />
          </span>
        </>
      )}
    </>
  );
}

function Item({ thing, figure }: { thing: FirstThing; figure: string }) {
  const { findingId, finding, severity, region, recommendation, others } = thing;
  const { accountName } = finding.resource;
  return (
    <li>
      <p class="thing-head">
        <a href={`#finding-${findingId}`}>
          <Resource thing={thing} />
        </a>
        <span class="thing-figure">{figure}</span>
      </p>
      <p>
        <SeverityBadge severity={severity} />{' '}
        <Text value={accountName === undefined ? region : `${region}, ${accountName}`} most={70} />:{' '}
        <Text value={problemInShort(finding)} most={300} />.{' '}
        {others > 0 ? <span class="faint">{count(others, 'more finding')} on it.</span> : null}
      </p>
      {recommendation === null ? null : (
        <p class="thing-action">
          <Text value={fixInShort(recommendation)} most={300} />
        </p>
      )}
    </li>
  );
}

interface ListProps {
  things: readonly FirstThing[];
  figureOf: (thing: FirstThing) => string;
  empty: string;
}

function List({ things, figureOf, empty }: ListProps) {
  const [most, setMost] = useState(usuallyShown);
  if (things.length === 0) return <p class="empty">{empty}</p>;
  return (
    <>
      <ol class="things">
        {things.slice(0, most).map((thing) => (
          <Item key={thing.findingId} thing={thing} figure={figureOf(thing)} />
        ))}
      </ol>
      {things.length > most && most < maxShown ? (
        <button type="button" class="button no-print" onClick={() => setMost(maxShown)}>
          Show {Math.min(maxShown, things.length) - most} more
        </button>
      ) : null}
    </>
  );
}

/** Where no minutes are counted, its price tells at least what it takes. */
const impactFigure = ({ throttledMinutesPeak24h, monthlyUsdDelta }: FirstThing): string => {
  if (throttledMinutesPeak24h !== null) return `${minutes(throttledMinutesPeak24h)} in the peak 24 h`;
  return monthlyUsdDelta === null ? '' : `${usdDelta(monthlyUsdDelta)} a month`;
};

interface SectionProps {
  findings: readonly Finding[];
  summary: Pick<AuditResult['summary'], 'mayCostLess'>;
}

export function TopRecommendationsSection({ findings, summary: { mayCostLess = [] } }: SectionProps) {
  const { byImpact, byMoney, savingMonthlyUsd } = useMemo(() => topRecommendations(findings), [findings]);
  return (
    <section id="first" tabIndex={-1} aria-labelledby="first-heading">
      <h2 id="first-heading">Top recommendations</h2>
      <div class="columns">
        <section aria-labelledby="by-impact">
          <h3 id="by-impact">Performance impact</h3>
          <p class="lead">
            {byImpact.length === 0
              ? 'What is throttled, the most severe first.'
              : `${count(byImpact.length, 'resource')}: the most severe first, then what is ongoing, then the longest throttled.`}
          </p>
          <List
            things={byImpact}
            figureOf={impactFigure}
            empty="Nothing was throttled, of what could be evaluated."
          />
        </section>
        <section aria-labelledby="by-money">
          <h3 id="by-money">Savings</h3>
          <p class="lead">
            {byMoney.length === 0
              ? 'What could cost less.'
              : `Up to ${usd(savingMonthlyUsd)} a month in all, on ${count(byMoney.length, 'resource')}, at list prices: the largest saving first.`}
          </p>
          <List
            things={byMoney}
            figureOf={({ monthlyUsdDelta }) => `${usdDelta(monthlyUsdDelta)} a month`}
            empty="Nothing was found that would cost less, of what has a known price."
          />
          {mayCostLess.length === 0 ? null : <p class="lead">{mayCostLessText(mayCostLess)}</p>}
        </section>
      </div>
    </section>
  );
}
