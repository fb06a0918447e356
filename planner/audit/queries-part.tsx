/** What to ask CloudWatch for, made of the volumes that were given: files to save, and the commands that take them. */
import { useState } from 'preact/hooks';
import { queryCommand } from '../../core/audit/query-files.ts';
import { figure } from '../../core/figures.ts';
import { download } from '../../report/browser/shared/download.ts';
import { count } from '../../report/browser/shared/format.ts';
import { metricPriceNote, readingCostText } from '../../report/wording/words.ts';
import { ChoiceField, NumberField, Questions } from '../form.tsx';
import type { MadeQueries } from './audit-job.ts';
import { CommandLine } from './missing-lines.tsx';

interface QueriesPartProps {
  hasVolumes: boolean;
  isBusy: boolean;
  queries: MadeQueries | null;
  onMake: (lookbackDays: number, periodSeconds: number) => void;
}

const periods = [
  { value: '60', text: '1 minute' },
  { value: '300', text: '5 minutes' },
] as const;
/** CloudWatch keeps minutes for 15 days, and five minutes for 63. */
const maxDays = { '60': 15, '300': 63 } as const;

function Made({ queries }: { queries: MadeQueries }) {
  const { files, metrics, usd, start, end, periodSeconds, volumes, regions, hasInstances } = queries;
  const left = volumes - queries.volumesAsked;
  return (
    <div class="audit-queries">
      <p>
        {count(metrics, 'metric')} of {count(queries.volumesAsked, 'volume')} in {count(files.length, 'file')}
        , {start} to {end}, {periodSeconds} s. Reading them once costs {readingCostText(usd)}
        {metricPriceNote(regions)}: 0.01 USD per 1,000 metrics.
      </p>
      {left > 0 ? (
        <p>
          {figure(left, 0)} of {count(volumes, 'volume')} have no metrics to ask for: unattached, not in use,
          or of an unknown type.
        </p>
      ) : null}
      {hasInstances ? null : <p>Without describe-instances no metrics of instances are asked for.</p>}
      {files.length === 0 ? null : (
        <>
          <p>
            Save each file, and run its command in the same directory. Then give the replies to this page.
          </p>
          <ol>
            {files.map(({ name, region, metrics: ofFile, text }) => (
              <li key={name}>
                <button
                  type="button"
                  class="button small no-print"
                  onClick={() => download(name, text, 'application/json')}
                >
                  Save {name}
                </button>{' '}
                {count(ofFile, 'metric')}
                <CommandLine command={queryCommand(region, name)} what={`the command for ${name}`} />
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

export function QueriesPart({ hasVolumes, isBusy, queries, onMake }: QueriesPartProps) {
  const [days, setDays] = useState(1);
  const [period, setPeriod] = useState<keyof typeof maxDays>('60');
  const lookbackDays = Math.min(days, maxDays[period]);
  return (
    <details class="audit-make" open={queries !== null}>
      <summary>Make the queries for get-metric-data</summary>
      {hasVolumes ? (
        <>
          <Questions name="What to ask for">
            <NumberField
              label="Days back"
              unit="days"
              value={lookbackDays}
              min={1}
              max={maxDays[period]}
              scale="none"
              onChange={setDays}
            />
            <ChoiceField
              label="Points of"
              value={period}
              choices={periods}
              look="radios"
              onChange={setPeriod}
            />
          </Questions>
          <p>
            <button
              type="button"
              class="button"
              disabled={isBusy}
              onClick={() => onMake(lookbackDays, Number(period))}
            >
              Make the queries
            </button>
          </p>
        </>
      ) : (
        <p>Give what describe-volumes printed first: the queries are made of its volumes.</p>
      )}
      {queries === null ? null : <Made queries={queries} />}
    </details>
  );
}
