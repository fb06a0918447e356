/** What carries the same load without credits, and what it costs beside today. */
import { figure, usdText } from '../../core/figures.ts';
import type { Known } from '../../core/known.ts';
import type { Measure } from '../../core/replay/drawn-day.ts';
import type { EbsPriceReason, PriceReason } from '../../core/schemas/unknown-reasons.ts';
import { gibFromMiB } from '../../core/units.ts';
import { unbroken } from '../../report/browser/shared/format.ts';
import { TableGround } from '../../report/browser/shared/table-ground.tsx';
import { instanceBucketText, monthlyDeltaText, noGp3Text, rateText } from '../../report/wording/burst.ts';
import { priceReasonText } from '../../report/wording/reasons.ts';
import { type BurstModel, type InstanceModel, type VolumeModel, volumeBounds } from './burst-model.ts';

interface Row {
  name: string;
  today: string;
  instead: string;
}

function Compared({
  caption,
  heads,
  rows,
}: {
  caption: string;
  heads: [string, string];
  rows: readonly Row[];
}) {
  return (
    <TableGround label={caption}>
      <table class="burst-instead">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">What</span>
            </th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, today, instead }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td data-head={heads[0]}>{unbroken(today)}</td>
              <td data-head={heads[1]}>{unbroken(instead)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableGround>
  );
}

type Usd = Known<number, PriceReason | EbsPriceReason>;

const usdOf = (usd: Usd): string => (usd.known ? `${usdText(usd.value)} a month` : 'not known');

/** Why a price is not known, each reason once. */
function reasonsOf(...prices: Usd[]): string[] {
  const texts = prices.flatMap((usd) => (usd.known ? [] : [`${priceReasonText(usd.reason)}.`]));
  return [...new Set(texts)];
}

const deltaText = (today: Usd, instead: Usd): string =>
  today.known && instead.known
    ? `${monthlyDeltaText(instead.value - today.value)}.`
    : 'What it changes a month is not known.';

function Reasons({ reasons }: { reasons: readonly string[] }) {
  return (
    <>
      {reasons.map((reason) => (
        <p key={reason} class="unknown">
          {reason}
        </p>
      ))}
    </>
  );
}

function VolumeInstead({ model: { gp3, limits, config } }: { model: VolumeModel }) {
  if ('obstacle' in gp3) return <p>{noGp3Text(gp3.obstacle)}</p>;
  const { layout, monthlyUsd, todayMonthlyUsd } = gp3;
  const totals = [todayMonthlyUsd, monthlyUsd].map(
    (usd): Usd => (usd.known ? { known: true, value: usd.value.total } : usd),
  ) as [Usd, Usd];
  const today = (measure: Measure): string => instanceBucketText(volumeBounds(limits, measure), measure);
  const atAnyTime = (rate: number, measure: Measure): string =>
    instanceBucketText({ baseline: rate, maximum: rate }, measure);
  return (
    <>
      <p class="burst-price">
        gp3, {figure(layout.sizeGiB)} GiB, {rateText(layout.iops, 'iops')},{' '}
        {rateText(layout.throughputMiBps, 'mibps')}: <strong>{deltaText(...totals)}</strong>
      </p>
      <Compared
        caption="Today and the gp3 that needs no credits"
        heads={[`${config.volumeType} today`, 'gp3']}
        rows={[
          { name: 'Size', today: `${figure(config.sizeGiB)} GiB`, instead: `${figure(layout.sizeGiB)} GiB` },
          {
            name: 'IOPS',
            today: today('iops'),
            instead: atAnyTime(layout.iops, 'iops'),
          },
          {
            name: 'MiB/s',
            today: today('mibps'),
            instead: atAnyTime(layout.throughputMiBps, 'mibps'),
          },
          { name: 'Price', today: usdOf(totals[0]), instead: usdOf(totals[1]) },
        ]}
      />
      <Reasons reasons={reasonsOf(...totals)} />
      <p class="ask-hint">The volume is changed where it stands, while it is in use.</p>
    </>
  );
}

function InstanceInsteadView({ model: { instead, type, figures } }: { model: InstanceModel }) {
  const { today, other, isTodayEnough } = instead;
  const enough = isTodayEnough ? (
    <p>{type.instanceType} carries this load with its baseline: it needs no credits and no other type.</p>
  ) : null;
  if (isTodayEnough) return enough;
  if (other === null)
    return <p>No other type that is no less than {type.instanceType} carries this load with its baseline.</p>;
  const { ebs } = other.type;
  if (ebs === null) return null;
  const [todayUsd, otherUsd] = [today.monthlyUsd, other.monthlyUsd];
  const ofIo = ({ baselineIops, maximumIops }: typeof figures) =>
    instanceBucketText({ baseline: baselineIops, maximum: maximumIops }, 'iops');
  const ofBytes = ({ baselineMiBps, maximumMiBps }: typeof figures) =>
    instanceBucketText({ baseline: baselineMiBps, maximum: maximumMiBps }, 'mibps');
  const instanceSizeText = ({ vcpus, memoryMiB }: typeof type) =>
    `${figure(vcpus)} vCPU, ${figure(gibFromMiB(memoryMiB))} GiB`;
  return (
    <>
      <p class="burst-price">
        {other.type.instanceType}: <strong>{deltaText(todayUsd, otherUsd)}</strong>
      </p>
      <Compared
        caption="Today and the type whose baseline carries the load"
        heads={[`${type.instanceType} today`, other.type.instanceType]}
        rows={[
          { name: 'Operations', today: ofIo(figures), instead: ofIo(ebs) },
          { name: 'Bytes', today: ofBytes(figures), instead: ofBytes(ebs) },
          { name: 'Size', today: instanceSizeText(type), instead: instanceSizeText(other.type) },
          { name: 'Price', today: usdOf(todayUsd), instead: usdOf(otherUsd) },
        ]}
      />
      <Reasons reasons={reasonsOf(todayUsd, otherUsd)} />
      <p class="ask-hint">
        The cheapest of the types with at least its vCPU, memory and instance store. The instance is stopped
        to change it.
      </p>
    </>
  );
}

export function Instead({ model, region }: { model: BurstModel; region: string }) {
  const head = model.kind === 'volume' ? 'The gp3 that needs no credits' : 'The type that needs no credits';
  return (
    <section>
      <h3>{head}</h3>
      <p class="faint">For the highest rate of this load, as its baseline. Prices of {region}.</p>
      {model.kind === 'volume' ? <VolumeInstead model={model} /> : <InstanceInsteadView model={model} />}
    </section>
  );
}
