/** Words with other figures than documented, for readers of a result. */
import { thresholdTexts } from '../../../report/wording/words.ts';

test('each with the figure that is documented; one that this version does not know without', () => {
  expect(
    thresholdTexts({ thresholds: { throttledWarningMinutes: 10, idleKnownShare: 0.75, later: 3 } }),
  ).toEqual(['throttledWarningMinutes 10 instead of 5', 'idleKnownShare 0.75 instead of 0.9', 'later 3']);
  expect(thresholdTexts({})).toEqual([]);
});
