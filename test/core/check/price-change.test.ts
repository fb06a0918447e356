/** What a change costs: volumes and instances on demand. Prices of us-east-1: m5.large 0.096, m5.xlarge 0.192, m5.4xlarge 0.768 USD an hour, 730 hours. */
import fc from 'fast-check';
import type { PlannedAction, PlannedResource } from '../../../core/check/planned.ts';
import { known, unknown } from '../../../core/known.ts';
import { roundUsd } from '../../../core/prices/prices.ts';
import { checkHeadline } from '../../../report/wording/check.ts';
import { checked } from '../../fixtures/checked.ts';
import {
  aDevice,
  aGroup,
  anInstance,
  asked,
  aTemplate,
  aVolume,
  notSet,
  type Said,
} from '../../fixtures/planned.ts';

const priceOf = (...resources: PlannedResource[]) => checked(resources).price;
const later = unknown({ code: 'known-after-apply' as const, detail: null });
const update = { action: 'update' as const };
const ofTemplate = { address: 'aws_launch_template.web', id: null };

describe('an instance', () => {
  const grown = anInstance('m5.4xlarge', [], { ...update, beforeInstanceType: known('m5.large') });

  test('m5.large -> m5.4xlarge: (0.768 - 0.096) x 730 = 490.56 USD', () => {
    const { resources, instancesMonthlyUsdDifference, volumesMonthlyUsdDifference } = priceOf(grown);
    expect(resources).toEqual([
      {
        ...{ kind: 'instance', address: 'aws_instance.db', device: null, action: 'update', copies: 1 },
        ...{ beforeMonthlyUsd: 70.08, afterMonthlyUsd: 560.64, monthlyUsdDifference: 490.56 },
      },
    ]);
    expect([instancesMonthlyUsdDifference, volumesMonthlyUsdDifference]).toEqual([490.56, 0]);
  });

  test('of the same type it is no part of a change, nor is one that stays', () => {
    const same = anInstance('m5.large', [], { ...update, beforeInstanceType: known('m5.large') });
    const stays = anInstance('m99.large', [], { action: 'none' });
    expect(priceOf(same)).toMatchObject({ resources: [], notPriced: [] });
    expect(priceOf(stays)).toMatchObject({ resources: [], notPriced: [] });
  });

  test('created it costs 70.08, deleted -70.08 USD', () => {
    expect(priceOf(anInstance('m5.large', [])).monthlyUsdDifference).toBe(70.08);
    expect(priceOf(anInstance('m5.large', [], { action: 'delete' })).monthlyUsdDifference).toBe(-70.08);
  });

  test('what has no price is said with its reason, and is not zero', () => {
    const reasonOf = (...resources: PlannedResource[]) => {
      const { resources: priced, notPriced } = priceOf(...resources);
      expect(priced).toEqual([]);
      return notPriced.map(({ kind, reason }) => [kind, reason]);
    };
    expect(reasonOf(anInstance('m5.large', [], { isSpot: known(true) }))).toEqual([
      ['instance', { code: 'spot' }],
    ]);
    expect(reasonOf(anInstance('m99.large', []))).toEqual([
      ['instance', { code: 'no-instance-price', instanceType: 'm99.large', region: 'us-east-1' }],
    ]);
    const dedicated = [['instance', { code: 'dedicated' }]];
    expect(reasonOf(anInstance('m5.large', [], { isDedicated: true }))).toEqual(dedicated);
    expect(reasonOf(aTemplate('m5.large', { isDedicated: true }), aGroup(2))).toEqual(dedicated);
    expect(reasonOf(anInstance('m5.large', [], { region: null }))).toEqual([
      ['instance', { code: 'region-unknown' }],
    ]);
    expect(reasonOf(anInstance('', [], { instanceType: later }))).toEqual([
      [
        'instance',
        { code: 'figure-unknown', figure: 'instance type', why: 'known-after-apply', detail: null },
      ],
    ]);
    expect(reasonOf(anInstance('m5.large', [], { isSpot: later }))).toMatchObject([
      ['instance', { figure: 'purchase option' }],
    ]);
  });

  test('from Spot to on demand has no known difference', () => {
    const bought = { ...update, beforeInstanceType: known('m5.large'), beforeIsSpot: known(true) };
    expect(priceOf(anInstance('m5.large', [], bought)).notPriced).toMatchObject([
      { reason: { code: 'spot' } },
    ]);
  });
});

describe('a group', () => {
  test('three of the type of its launch template: 3 x 70.08; the template itself costs nothing', () => {
    const root = aDevice({ type: 'gp3', gib: 100 }, { isRoot: true });
    const price = priceOf(aTemplate('m5.large', { devices: [root] }), aGroup(3));
    expect(price.resources.map((one) => [one.kind, one.address, one.monthlyUsdDifference])).toEqual([
      ['instance', 'aws_autoscaling_group.web', 210.24],
      ['volume', 'aws_launch_template.web', 24], // 3 x 100 x 0.08
    ]);
    expect(price.monthlyUsdDifference).toBe(234.24);
    expect(priceOf(aTemplate('m5.large')).resources).toEqual([]);
  });

  test('2 -> 5 instances of 70.08 are 210.24 more', () => {
    const more = aGroup(5, { ...update, beforeCopies: known(2), before: aGroup(2) });
    expect(priceOf(aTemplate('m5.large', { action: 'none' }), more).monthlyUsdDifference).toBe(210.24);
  });

  test('another type in its launch template changes what a group costs that itself stays', () => {
    const stays = aGroup(2, { action: 'none', before: aGroup(2) });
    const template = (more: object) =>
      aTemplate('m5.xlarge', { beforeInstanceType: known('m5.large'), ...more });
    expect(priceOf(template(update), stays).resources).toMatchObject([
      { action: 'update', copies: 2, monthlyUsdDifference: 140.16 }, // 2 x 70.08
    ]);
    expect(priceOf(template({ action: 'none' }), stays)).toMatchObject({ resources: [], notPriced: [] });
  });

  test('an instance from a launch template is counted once, and keeps what it has when that changes', () => {
    const from = { instanceType: notSet<string>(), launchTemplate: ofTemplate };
    const template = aTemplate('m5.large', { ...update, beforeInstanceType: known('m5.xlarge') });
    expect(priceOf(template, anInstance('', [], from)).monthlyUsdDifference).toBe(70.08);
    expect(priceOf(template, anInstance('', [], { ...from, action: 'none' })).resources).toEqual([]);
  });

  test('a policy with two types is not priced, nor one with Spot; with one type it is', () => {
    const mixed = (...types: string[]) => aGroup(2, { instanceTypes: known(types), isSpot: known(false) });
    const template = aTemplate('m5.large');
    expect(priceOf(template, mixed('m5.large', 'm5.xlarge')).notPriced).toMatchObject([
      { kind: 'instance', reason: { code: 'several-instance-types', types: 2 } },
    ]);
    expect(priceOf(template, mixed('m5.xlarge')).monthlyUsdDifference).toBe(280.32); // 2 x 140.16
    expect(priceOf(template, aGroup(2, { isSpot: known(true) })).notPriced).toMatchObject([
      { reason: { code: 'spot' } },
    ]);
    expect(priceOf(aTemplate('m5.large', { isSpot: known(true) }), aGroup(2)).notPriced).toMatchObject([
      { reason: { code: 'spot' } },
    ]);
  });

  test('of a template that is not here nobody knows the type; with no instances it costs nothing', () => {
    const away = { launchTemplate: { address: null, id: 'lt-0123456789abcdef0' } };
    expect(priceOf(aGroup(2, away)).notPriced).toMatchObject([
      { reason: { figure: 'instance type', why: 'elsewhere' } },
    ]);
    expect(priceOf(aGroup(0, away))).toMatchObject({ resources: [], notPriced: [] });
  });
});

test('the total is first, and what volumes and instances are of it', () => {
  const disk = aVolume({ type: 'gp3', gib: 100 }); // 8.00
  const headlineOf = (...resources: PlannedResource[]) => checkHeadline(checked(resources));
  expect(headlineOf(disk, anInstance('m5.large', []))).toBe(
    'stripewise check: no findings. Price: +78.08 USD a month (volumes +8.00, instances +70.08 on demand).',
  );
  expect(headlineOf(disk)).toContain('Price: +8.00 USD a month (volumes).');
  expect(headlineOf(anInstance('m5.large', []))).toContain(
    'Price: +70.08 USD a month (instances on demand).',
  );
  expect(
    headlineOf({ ...disk, action: 'declared' }, anInstance('m5.large', [], { action: 'declared' })),
  ).toContain('Price: 78.08 USD a month (volumes 8.00, instances 70.08 on demand).');
  expect(headlineOf(anInstance('m5.large', [], { isSpot: known(true) }))).toContain(
    'Price: unknown, of 1 resource.',
  );
  expect(headlineOf(disk, anInstance('m5.large', [], { isSpot: known(true) }))).toContain(
    'Price: +8.00 USD a month (volumes), 1 without a known price.',
  );
});

// Properties.

const gp3: fc.Arbitrary<Said> = fc.record({
  type: fc.constant('gp3'),
  gib: fc.integer({ min: 200, max: 16_000 }),
  iops: fc.integer({ min: 8_000, max: 80_000 }),
  mibps: fc.integer({ min: 125, max: 2_000 }),
});
const action = fc.constantFrom<PlannedAction>('create', 'update', 'replace', 'delete', 'none');
const type = fc.constantFrom('m5.large', 'm5.xlarge', 'm5.4xlarge', 't3.medium', 'm99.large');

const reverseOf: Partial<Record<PlannedAction, PlannedAction>> = { create: 'delete', delete: 'create' };
const stands = (of: PlannedAction): boolean => of !== 'create';

/** A plan with its reverse: what shall be stands, and what stands shall be. */
const pair = fc
  .tuple(action, gp3, gp3, type, type, fc.nat(5), fc.nat(5), fc.nat(2))
  .map(([does, to, from, typeTo, typeFrom, copiesTo, copiesFrom, kind]) => {
    const made = (of: PlannedAction, swap: boolean): PlannedResource[] => {
      const isStill = of === 'none' || of === 'delete' || of === 'create';
      const pick = <T>(after: T, before: T): [T, T] => {
        if (isStill) return [after, after];
        return swap ? [before, after] : [after, before];
      };
      if (kind === 0) {
        const [now, was] = pick(to, from);
        // Smaller in place EBS refuses, and that has no price.
        const does = of === 'update' && now.gib !== was.gib ? 'replace' : of;
        return [aVolume(now, null, { action: does, before: stands(of) ? asked(was) : null })];
      }
      const [now, was] = pick(typeTo, typeFrom);
      const template = aTemplate(now, {
        action: of,
        beforeInstanceType: stands(of) ? known(was) : null,
        beforeIsSpot: stands(of) ? notSet() : null,
      });
      if (kind === 1)
        return [
          anInstance(now, [], {
            action: of,
            beforeInstanceType: template.beforeInstanceType,
            beforeIsSpot: template.beforeIsSpot,
          }),
        ];
      const [many, few] = pick(copiesTo, copiesFrom);
      return [
        template,
        aGroup(many, {
          action: of,
          beforeCopies: stands(of) ? known(few) : null,
          before: stands(of) ? aGroup(few) : null,
        }),
      ];
    };
    return { plan: made(does, false), reverse: made(reverseOf[does] ?? does, true) };
  });

test('what a plan costs its reverse saves, the resources are the total, and no resource is there twice', () => {
  let priced = 0;
  fc.assert(
    fc.property(pair, ({ plan, reverse }) => {
      const [there, back] = [priceOf(...plan), priceOf(...reverse)];
      expect(roundUsd(there.monthlyUsdDifference + back.monthlyUsdDifference)).toBe(0);
      const sum = there.resources.reduce((usd, one) => usd + one.monthlyUsdDifference, 0);
      expect(roundUsd(sum)).toBe(there.monthlyUsdDifference);
      expect(roundUsd(there.volumesMonthlyUsdDifference + there.instancesMonthlyUsdDifference)).toBe(
        there.monthlyUsdDifference,
      );
      const all = [...there.resources, ...there.notPriced].map(({ kind, address }) => `${kind} ${address}`);
      expect(new Set(all).size).toBe(all.length);
      if (there.monthlyUsdDifference !== 0) priced++;
    }),
    { numRuns: 500 },
  );
  expect(priced).toBeGreaterThan(100);
});

test('a volume that is to shrink has no price: EBS refuses it', () => {
  const { resources, notPriced } = priceOf(
    aVolume({ type: 'gp3', gib: 50 }, { type: 'gp3', gib: 100 }, { action: 'update' }),
  );
  expect(resources).toEqual([]);
  expect(notPriced).toMatchObject([{ reason: { code: 'refused' } }]);
});
