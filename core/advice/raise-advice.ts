/** A volume that its own limit held back: how to get more. How much it needs does not show. */
import { figure, usdText } from '../figures.ts';
import { gp3Figures, ssdMiBPerIo, topIops } from '../limits/volume-limits.ts';
import { isHdd, type VolumeConfiguration } from '../limits/volume-types.ts';
import type { Rates } from '../plan/need.ts';
import { roundUsd } from '../prices/volume-price.ts';
import type { Advice } from '../schemas/finding.ts';
import { type AdviceInput, way } from './advice-input.ts';
import { bestOf, inPlace, presentUsd } from './savings/candidates.ts';

type Raised = 'iops' | 'throughput';

/** The highest figures that gp3 of this size can have, where the volume stands. */
function gp3Top(config: VolumeConfiguration): Rates {
  const iops = topIops({ ...config, volumeType: 'gp3' }) ?? gp3Figures.freeIops;
  return { iops, throughputMiBps: Math.min(gp3Figures[config.deployment].maxMiBps, iops * ssdMiBPerIo) };
}

const ratesText = ({ iops, throughputMiBps }: Rates): string =>
  `${figure(iops)} IOPS and ${figure(throughputMiBps)} MiB/s`;

const need = 'A throttled rate does not show how much it needs: go up until the queue is gone.';

/** What going up costs where it is paid for apart. */
function perStep({ config, prices }: AdviceInput, what: Raised): string {
  if (!prices.known || config.deployment === 'outposts') return '';
  const { gp3PerIops, gp3PerMiBps, io1PerIops, io2PerIops } = prices.value;
  if (config.volumeType === 'io1')
    return ` Each 1,000 IOPS more cost ${usdText(1_000 * io1PerIops)} a month.`;
  if (config.volumeType === 'io2')
    return ` Each 1,000 IOPS more cost at most ${usdText(1_000 * (io2PerIops[0]?.usd ?? 0))} a month.`;
  return what === 'iops'
    ? ` On gp3 each 1,000 IOPS more cost ${usdText(1_000 * gp3PerIops)} a month.`
    : ` On gp3 each 100 MiB/s more cost ${usdText(100 * gp3PerMiBps)} a month.`;
}

/** gp3 of the same size that is at least as fast as today at its best, with what that costs; '' where that is not known. */
function changeText({ config, limits, prices }: AdviceInput): string {
  if (!prices.known || config.deployment === 'outposts') return '';
  const present = { config, limits, prices: prices.value };
  const found = inPlace(present, 'gp3', bestOf(present));
  if (found === null) return '';
  const more = roundUsd(found.monthlyUsd - presentUsd(present));
  const costs = more < 0 ? `${usdText(-more)} a month less` : `${usdText(more)} a month more`;
  return ` As fast as today at its best (${ratesText(found.layout)}) gp3 costs ${costs}.`;
}

const gp3Instead = {
  io1: 'gp3 has the same durability for less',
  io2: 'gp3 costs less where 99.8 % durability and performance 99 % of the time will do',
} as const;

/** Up to 32,000 IOPS an io1 has no more MiB/s than at 2,000. */
const io1Plateau = { iops: 32_000, mibps: 500 } as const;

/** io1 and io2 have more to give: their throughput follows their IOPS. */
function raiseProvisioned(input: AdviceInput, volumeType: 'io1' | 'io2', what: Raised): Advice {
  const { config, limits } = input;
  const top = topIops(config) ?? limits.burstIops;
  const isAtTop = limits.burstIops >= top;
  const onPlateau =
    volumeType === 'io1' &&
    what === 'throughput' &&
    limits.burstMiBps >= io1Plateau.mibps &&
    limits.burstIops <= io1Plateau.iops;
  const gp3 = gp3Top(config);
  const gp3HasMore = gp3.iops > limits.burstIops && gp3.throughputMiBps > limits.burstMiBps;
  if (volumeType === 'io1' && (isAtTop || onPlateau) && gp3HasMore) {
    const why = isAtTop
      ? 'It has all the IOPS that io1 of this size can have'
      : 'More IOPS give io1 no more than 500 MiB/s, up to 32,000 of them';
    return way(
      `${why}: change it in place to gp3 (of this size: up to ${ratesText(gp3)}), or stripe several volumes.${changeText(input)} ${need}`,
    );
  }
  const action = isAtTop
    ? `It has all the IOPS that ${volumeType} of this size can have: take a larger one, or a stripe of several volumes.`
    : `Raise its provisioned IOPS in place (${volumeType} of this size: up to ${figure(top)}), or stripe several volumes; ${gp3Instead[volumeType]}.${volumeType === 'io1' ? changeText(input) : ''}`;
  return way(`${action} ${need}${perStep(input, 'iops')}`);
}

/** Sequential I/O is what HDD is for: more spindles are cheaper than SSD. */
const hddStripe = ({ config: { volumeType } }: AdviceInput): string =>
  isHdd(volumeType) ? ` For sequential I/O a stripe of several ${volumeType} is the cheaper way.` : '';

function wayToGp3({ config: { volumeType } }: AdviceInput): string {
  if (volumeType === 'gp3') return 'Raise it in place';
  return volumeType === 'standard'
    ? 'Move it to gp3 (through a snapshot, if EC2 does not modify this magnetic volume in place) and raise it there'
    : 'Change it in place to gp3 and raise it there';
}

export function raise(input: AdviceInput, what: Raised): Advice {
  const { config, limits } = input;
  const { volumeType } = config;
  if (volumeType === 'io1' || volumeType === 'io2') return raiseProvisioned(input, volumeType, what);
  const top = gp3Top(config);
  const highest = what === 'iops' ? `${figure(top.iops)} IOPS` : `${figure(top.throughputMiBps)} MiB/s`;
  const isAtTop = what === 'iops' ? limits.burstIops >= top.iops : limits.burstMiBps >= top.throughputMiBps;
  const change = volumeType === 'gp3' ? '' : changeText(input);
  const action = isAtTop
    ? `It has what gp3 of this size can have: take a larger gp3, io2, or a stripe of several volumes.${hddStripe(input)}`
    : `${wayToGp3(input)} (gp3 of this size: up to ${highest}), or stripe several volumes.${change}${hddStripe(input)}`;
  return way(`${action} ${need}${isAtTop ? '' : perStep(input, what)}`, [
    `stripewise limits --type gp3 --size-gib ${config.sizeGiB}${config.deployment === 'outposts' ? ' --deployment outposts' : ''}`,
  ]);
}
