/** Volumes that may cost less where prices are not known. */
import { mayCostLessText } from '../../../report/wording/may-cost-less.ts';

const regions = (...names: string[]) => names.map((region, i) => ({ region, volumes: i + 1 }));

test.each([
  [
    regions('eu-west-2'),
    '1 volume may cost less in eu-west-2: its prices are not known. Refresh them: stripewise catalog refresh --region eu-west-2.',
  ],
  [
    regions('eu-west-2', 'eu-west-3'), // 1 + 2
    '3 volumes may cost less in eu-west-2, eu-west-3: their prices are not known. Refresh them: stripewise catalog refresh --region REGION.',
  ],
  [
    regions('eu-west-2', 'eu-west-3', 'sa-east-1', 'us-west-1', 'us-west-2'), // 1 + 2 + 3 + 4 + 5
    '15 volumes may cost less in eu-west-2, eu-west-3, sa-east-1 and 2 more Regions: their prices are not known. Refresh them: stripewise catalog refresh --region REGION.',
  ],
])('%j', (all, text) => expect(mayCostLessText(all)).toBe(text));
