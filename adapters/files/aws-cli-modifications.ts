/** Reads what `aws ec2 describe-volumes-modifications` prints: of each volume its latest modification alone. */
import { z } from 'zod';
import {
  type Modifications,
  modificationStates,
  type VolumeModification,
} from '../../core/recommendations/modifications.ts';
import { msPerSecond } from '../../core/units.ts';
import { parseJson, type TextFile } from './text-file.ts';

/** As the AWS CLI writes it: with an offset, or with Z. */
const timeSchema = z.iso.datetime({ offset: true });

const modificationSchema = z.object({
  VolumeId: z.string().min(1),
  // Of a volume that was never modified nothing stands here.
  ModificationState: z.enum(modificationStates).nullish(),
  StartTime: timeSchema.nullish(),
  EndTime: timeSchema.nullish(),
});

const answerSchema = z.object({
  NextToken: z
    .undefined({
      error: 'there is a NextToken, so modifications are missing (leave out --max-items, --no-paginate)',
    })
    .optional(),
  VolumesModifications: z.array(modificationSchema),
});

const seconds = (iso: string): number => Date.parse(iso) / msPerSecond;

/** Files of several days tell of several modifications; one that stands in two of them counts once. */
export function readModifications(files: readonly TextFile[]): Modifications {
  const found = new Map<string, Map<number, VolumeModification>>();
  for (const file of files) {
    const { VolumesModifications } = parseJson(
      file,
      answerSchema,
      '`aws ec2 describe-volumes-modifications --output json`',
    );
    for (const { VolumeId, ModificationState: state, StartTime, EndTime } of VolumesModifications) {
      if (!state || !StartTime) continue;
      const startEpochSeconds = seconds(StartTime);
      const ofVolume = found.get(VolumeId) ?? new Map<number, VolumeModification>();
      const before = ofVolume.get(startEpochSeconds);
      const one = { state, startEpochSeconds, endEpochSeconds: EndTime ? seconds(EndTime) : null };
      // Once completed it stays so, whichever file is read last.
      if (before?.state !== 'completed') ofVolume.set(startEpochSeconds, one);
      found.set(VolumeId, ofVolume);
    }
  }
  return new Map([...found].map(([volumeId, ofVolume]) => [volumeId, [...ofVolume.values()]]));
}
