/** The campaign behind the card: what was asked, what its hosts came to, what they cost. */
import type { CardReport } from '../../../core/report/card-report.ts';
import type { CellReport } from '../../../core/schemas/campaign-report.ts';
import { failureText, goalText, searchEndText } from '../../wording/campaign.ts';
import { usd, utc } from '../shared/format.ts';
import { Text } from '../shared/text.tsx';
import { hoursText, intervalText, msText, wholeText } from './figures.ts';
import { requestWords } from './request-words.ts';
import { Section } from './section.tsx';
import { WideTable } from './wide-table.tsx';

type Campaign = NonNullable<CardReport['campaign']>;

const statusWords: Readonly<Record<CellReport['status'], string>> = {
  measured: 'measured',
  failed: 'failed',
  'not-measured': 'not measured',
};

const CellRow = ({ cell }: { cell: CellReport }) => (
  <tr>
    <th scope="row">
      <Text value={cell.id} most={60} />
    </th>
    <td>
      <Text value={cell.layout} most={60} />
    </td>
    <td>
      <Text value={cell.instanceType} most={60} />
    </td>
    <td class={cell.failure === null ? '' : 'words'}>
      <b class={cell.status === 'measured' ? '' : 'is-trouble'}>{statusWords[cell.status]}</b>
      {cell.failure === null ? null : (
        <small>
          <Text value={failureText(cell.failure)} />
        </small>
      )}
      {cell.leftBehind === null ? null : (
        <small>
          Its host was not terminated (<Text value={failureText(cell.leftBehind)} />
          ). The cleanup takes it.
        </small>
      )}
    </td>
    <td class="number">{hoursText(cell.hours)}</td>
    <td class="number">{usd(cell.usd)}</td>
  </tr>
);

const CellsTable = ({ cells }: { cells: readonly CellReport[] }) => (
  <WideTable caption="Hosts: what became of each, how long it lived, what it cost by list prices">
    <thead>
      <tr>
        <th scope="col">Host</th>
        <th scope="col">Layout</th>
        <th scope="col">Instance type</th>
        <th scope="col">Result</th>
        <th scope="col" class="number">
          Lived
        </th>
        <th scope="col" class="number">
          Cost
        </th>
      </tr>
    </thead>
    <tbody>
      {cells.map((cell) => (
        <CellRow key={cell.id} cell={cell} />
      ))}
    </tbody>
  </WideTable>
);

const outcomeWords: Readonly<Record<NonNullable<CellReport['search']>['outcome'], string>> = {
  kept: 'kept up to here',
  always: 'kept with as many as may ask',
  never: 'not kept even by one',
};

const SearchRow = ({ cell: { id, search } }: { cell: CellReport }) => (
  <tr>
    <th scope="row">
      <Text value={id} most={60} />
    </th>
    {search === null ? (
      <td colSpan={6}>nothing was found: its measuring did not come to an end</td>
    ) : (
      <>
        <td class="words">
          {outcomeWords[search.outcome]}
          <small>{searchEndText(search.reason)}</small>
        </td>
        <td class="number">{search.users}</td>
        <td class="number">{wholeText(search.iops.mean)}</td>
        <td class="number">{intervalText(search.iops, wholeText)}</td>
        <td class="number">{msText(search.latencyMs.mean)}</td>
        <td class="number">{intervalText(search.latencyMs, msText)}</td>
      </>
    )}
  </tr>
);

function SearchTable({ campaign: { cells, request } }: { campaign: Campaign }) {
  if (request.work.kind !== 'search') return null;
  return (
    <>
      <h3>What was searched for: the {goalText(request.work.goal)}</h3>
      <WideTable caption="The most that was found, with where its true mean is with 95 % confidence">
        <thead>
          <tr>
            <th scope="col">Host</th>
            <th scope="col">Goal</th>
            <th scope="col" class="number">
              At once
            </th>
            <th scope="col" class="number">
              IOPS
            </th>
            <th scope="col" class="number">
              with 95 % confidence
            </th>
            <th scope="col" class="number">
              {request.work.goal.percentile}
            </th>
            <th scope="col" class="number">
              with 95 % confidence
            </th>
          </tr>
        </thead>
        <tbody>
          {cells.map((cell) => (
            <SearchRow key={cell.id} cell={cell} />
          ))}
        </tbody>
      </WideTable>
    </>
  );
}

const Facts = ({ campaign }: { campaign: Campaign }) => (
  <dl class="facts">
    <dt>Campaign</dt>
    <dd>
      <Text value={campaign.campaignId} most={60} /> in <Text value={campaign.region} most={60} />, checked{' '}
      {utc(campaign.checkedAt)}, graded {utc(campaign.gradedAt)}
    </dd>
    <dt>Cost by list prices</dt>
    <dd>
      {usd(campaign.usd)}; estimated {usd(campaign.estimatedUsd)}
    </dd>
    <dt>For</dt>
    <dd>
      {campaign.findingId === null ? (
        'no finding: it was asked by itself'
      ) : (
        <>
          the finding <Text value={campaign.findingId} most={60} />
        </>
      )}
    </dd>
    {requestWords(campaign.request).map(({ what, words }) => [
      <dt key={what}>
        <Text value={what} most={60} />
      </dt>,
      <dd key={`${what} words`}>
        <Text value={words} most={500} />
      </dd>,
    ])}
  </dl>
);

export const CampaignSection = ({ campaign }: { campaign: Campaign }) => (
  <Section id="campaign" title="The campaign">
    <Facts campaign={campaign} />
    <CellsTable cells={campaign.cells} />
    <SearchTable campaign={campaign} />
  </Section>
);
