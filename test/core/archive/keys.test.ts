/** Where metrics of a day lie. */
import { chooseLayout } from '../../../core/archive/keys.ts';

const volumes = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `vol-${String(i).padStart(17, '0')}`);

test('20 volumes are kept by month, however often they were read; 21 by day', () => {
  const of20 = volumes(20);
  expect(chooseLayout([...of20, ...of20, ...of20])).toEqual({ kept: 'month' });
  expect(chooseLayout(volumes(21))).toEqual({ kept: 'day', firstIds: [''] });
});
