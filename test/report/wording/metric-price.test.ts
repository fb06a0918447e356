/** What reading metrics costs is never said of a Region whose price is not known without saying whose price it is. */
import { metricPriceNote } from '../../../report/wording/words.ts';

test.each([
  [['us-east-1'], ''],
  [['us-east-1', 'eu-west-2'], ''],
  [['us-east-1', 'eu-central-1'], ' at the price of us-east-1'],
  // Not one of its names is inherited from the table's prototype.
  [['constructor'], ' at the price of us-east-1'],
  [null, ' at the price of us-east-1'],
])('%j: "%s"', (regions, note) => {
  expect(metricPriceNote(regions)).toBe(note);
});
