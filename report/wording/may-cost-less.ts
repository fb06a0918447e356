/** What is said of savings where the prices of a Region are not known: how many volumes may cost less, and what shows it. */
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { counted, shortText } from './words.ts';

type MayCostLess = NonNullable<AuditResult['summary']['mayCostLess']>;

/** More have their place in the notes of the run. */
const maxRegions = 3;

/**
 * "3 volumes may cost less in eu-central-1: its prices are not known. Refresh them: stripewise catalog refresh --region
 * eu-central-1." @param regions at least one.
 */
export function mayCostLessText(regions: MayCostLess): string {
  const names = regions.map(({ region }) => shortText(region, 40));
  const [only = ''] = names;
  const volumes = counted(
    regions.reduce((sum, one) => sum + one.volumes, 0),
    'volume',
  );
  const refresh = (region: string): string => `Refresh them: stripewise catalog refresh --region ${region}.`;
  if (names.length === 1)
    return `${volumes} may cost less in ${only}: its prices are not known. ${refresh(only)}`;
  const shown = names.slice(0, maxRegions);
  const more = names.length - shown.length;
  const where = more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${counted(more, 'more Region')}`;
  return `${volumes} may cost less in ${where}: their prices are not known. ${refresh('REGION')}`;
}
