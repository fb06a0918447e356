/** One finding in full: what, when, its load against its limits, what can be done, and what it rests on. */

import { peakMinutesOf } from '../../../core/report/top-recommendations.ts';
import type { AnyEvidence, Finding } from '../../../core/schemas/finding.ts';
import { accountOfResource } from '../../wording/accounts.ts';
import { findingLines } from '../../wording/finding-lines.ts';
import { kindTitle, kubernetesText } from '../../wording/words.ts';
import { gib, minutes, utc } from '../shared/format.ts';
import { Text } from '../shared/text.tsx';
import { EvidenceView } from './evidence-view.tsx';
import { LimitsTable } from './limits-table.tsx';
import { LoadView } from './load-view.tsx';
import type { Lookup } from './lookup.ts';
import { findingAnchor } from './page-state.ts';
import { RecommendationView } from './recommendation-view.tsx';
import { SeverityBadge } from './severity-badge.tsx';

interface FindingSectionProps {
  finding: Finding;
  lookup: Lookup;
  onClose: () => void;
}

function WhatItIs({ finding, lookup }: Pick<FindingSectionProps, 'finding' | 'lookup'>) {
  const volume = lookup.evaluationOf(finding);
  const stripe = lookup.stripeOf(finding);
  const { instanceType }: AnyEvidence = finding.evidence;
  if (volume !== null)
    return (
      <>
        <Text value={volume.volumeType} most={20} /> of {gib(volume.sizeGiB)}
      </>
    );
  if (stripe !== null) return <>stripe of {stripe.volumeIds.length} volumes</>;
  return instanceType == null ? <>type not known</> : <Text value={instanceType} most={40} />;
}

function Facts({ finding, lookup }: Pick<FindingSectionProps, 'finding' | 'lookup'>) {
  const { resource, firstSeen } = finding;
  const account = accountOfResource(resource);
  const throttledMinutes = peakMinutesOf(finding);
  return (
    <ul class="finding-facts">
      <li>
        <WhatItIs finding={finding} lookup={lookup} />
      </li>
      <li>
        <Text value={resource.region} most={40} />
      </li>
      {account === null ? null : (
        <li>
          account <Text value={account} most={100} />
        </li>
      )}
      {firstSeen === null ? null : <li>since {utc(firstSeen)}</li>}
      {throttledMinutes === null ? null : <li>{minutes(throttledMinutes)} throttled in the peak 24 h</li>}
      <li>confidence {finding.confidence}</li>
    </ul>
  );
}

/** The same lines as in every channel. */
function Lines({ finding }: { finding: Finding }) {
  return (
    <dl class="finding-lines">
      {findingLines(finding).map(({ label, text }, i) => (
        <div key={`${i} ${label}`}>
          <dt>{label}</dt>
          <dd>
            <Text value={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Links({ heading, findings }: { heading: string; findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <>
      <h4>{heading}</h4>
      <ul class="plain">
        {findings.slice(0, 40).map(({ id, kind, severity, resource }) => (
          <li key={id}>
            <SeverityBadge severity={severity} />{' '}
            <a href={`#${findingAnchor(id)}`}>
              {kindTitle(kind)} on <Text value={resource.id} most={60} />
            </a>
          </li>
        ))}
      </ul>
      {findings.length > 40 ? <p class="faint">and {findings.length - 40} more: search for its id.</p> : null}
    </>
  );
}

export function FindingSection({ finding, lookup, onClose }: FindingSectionProps) {
  const { id, kind, severity, resource } = finding;
  const anchor = findingAnchor(id);
  return (
    <section id={anchor} class={`finding ${severity}`} tabIndex={-1} aria-labelledby={`${anchor}-heading`}>
      <div class="finding-head">
        <SeverityBadge severity={severity} />
        <div class="finding-controls no-print">
          <a href="#findings">All findings</a>
          <button type="button" class="button small" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
      <h3 id={`${anchor}-heading`}>
        {kindTitle(kind)} on <Text value={resource.id} />
      </h3>
      {resource.name ? (
        <p class="finding-name">
          <Text value={resource.name} />
        </p>
      ) : null}
      {resource.kubernetes ? (
        <p class="finding-name">
          <Text value={kubernetesText(resource.kubernetes)} />
        </p>
      ) : null}
      <Facts finding={finding} lookup={lookup} />
      <Lines finding={finding} />
      <LoadView finding={finding} lookup={lookup} />
      <RecommendationView finding={finding} />
      <LimitsTable finding={finding} lookup={lookup} />
      <EvidenceView evidence={finding.evidence} />
      <Links heading="Also found on it" findings={lookup.onSameResource(finding)} />
      <Links heading="Found next to it" findings={lookup.nearby(finding)} />
    </section>
  );
}
