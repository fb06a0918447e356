/** What helps a volume that is slow on first reads: time, or reading it once; and a rate at the next creation, since none can be set later. */
import { hostDevice } from '../plan/step-commands.ts';
import type { Recommendation, Risk } from '../schemas/finding.ts';
import { mibFromGiB, secondsPerMinute } from '../units.ts';
import { type RecommendationInput, run, safeVolumeId, volumesTarget, way } from './recommendation.ts';

/** MiB/s that a volume from a snapshot can be asked to be initialized at when it is made; not on Outposts. Source: EBS user guide. */
export const initializationRates = { minMiBps: 100, maxMiBps: 300 } as const;

/**
 * USD a GiB of the full size of the snapshot, at 300 MiB/s. The worked example of the EBS pricing page, "in a region that charges"
 * so much: the price of no Region, and none is known of lower rates.
 */
const exampleUsdPerGiB = 0.0036;

/** The snapshot is of a volume that was no larger: at most so much is fetched and billed. */
function rateRisk({ volume, config }: RecommendationInput): Risk[] {
  if (config.deployment === 'outposts' || volume.initializationRateMiBps !== undefined) return [];
  const { maxMiBps } = initializationRates;
  return [
    {
      code: 'initialization-rate',
      ...initializationRates,
      sizeGiB: volume.sizeGiB,
      minutesAtMost: Math.ceil(mibFromGiB(volume.sizeGiB) / maxMiBps / secondsPerMinute),
      exampleUsdAtMost: Number((volume.sizeGiB * exampleUsdPerGiB).toFixed(2)),
    },
  ];
}

export function firstReadsRecommendation(input: RecommendationInput): Recommendation {
  const { volume } = input;
  return {
    ...way('investigate', 'first-reads', [
      { code: 'initialization-status' },
      run(`aws ec2 describe-volume-status ${volumesTarget(volume)}`),
      { code: 'read-once' },
      run(
        `sudo fio --name=read-once --filename=${hostDevice(safeVolumeId(volume.volumeId))} --readonly --rw=read --bs=1M --iodepth=32 --ioengine=libaio --direct=1`,
      ),
      { code: 'initialization-rate', ...initializationRates },
    ]),
    risks: rateRisk(input),
  };
}
