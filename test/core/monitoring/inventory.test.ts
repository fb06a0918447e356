/** The volumes of a Region as monitoring keeps them. */
import {
  isFresh,
  monitoringInventoryKey,
  monitoringInventorySchema,
} from '../../../core/monitoring/watched.ts';
import { aVolume } from '../../fixtures/inventory.ts';

const madeEpochSeconds = 1_795_132_800;
const inventory = {
  madeEpochSeconds,
  volumes: [aVolume(), aVolume({ volumeId: 'vol-2', tags: { team: 'payments' } })],
  published: { 'vol-1': [{ metric: 'VolumeIOPSExceededCheck' as const, instanceId: 'i-1' }] },
  isReconciled: false,
};

test.each([[inventory], [{ ...inventory, published: null }]])('is read as it was kept: %#', (kept) => {
  expect(monitoringInventorySchema.parse(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
});

test('of an earlier version, whose watches are in a table that is gone, it is not read', () => {
  const { isReconciled: _, ...earlier } = inventory;
  expect(monitoringInventorySchema.safeParse(earlier).success).toBe(false);
});

test('is good for an hour', () => {
  expect(isFresh(inventory, madeEpochSeconds)).toBe(true);
  expect(isFresh(inventory, madeEpochSeconds + 3_599)).toBe(true);
  expect(isFresh(inventory, madeEpochSeconds + 3_600)).toBe(false);
});

test('each Region of each account has a key of its own, below the folder that the function may read', () => {
  expect(monitoringInventoryKey('111122223333', 'eu-west-1')).toBe('monitoring/111122223333-eu-west-1.json');
});
