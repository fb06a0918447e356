/** Commands of one member's recommendation for all of them: of ids that are none a placeholder stands there. */

import { run } from '../../../core/recommendations/recommendation.ts';
import { withEvidence } from '../../../core/schemas/finding.ts';
import { recommendationForAll } from '../../../core/stripes/findings-as-one.ts';
import { commandsOf, evidenceIn } from '../../fixtures/findings.ts';
import { aRecommendation, id, only, throttled } from './member-findings.ts';
import { aStripe } from './stripes.ts';

const risk = { code: 'all-members-alike', count: 2 } as const;
const untrusted = 'vol-1; rm -rf /';
const linesFor = (volumeId: string, commands: string[], others: string[]): string[] => {
  const stripe = aStripe([volumeId, ...others].map((one) => ({ volumeId: one })));
  return commandsOf(
    recommendationForAll(aRecommendation({ steps: commands.map(run) }), { stripe, volumeId, risk }),
  );
};

test('of a member whose id is none a placeholder stands in its line, and in the list of all', () => {
  const steps = [`aws ec2 modify-volume --volume-id ${id(1)}`, `aws ec2 x --volume-ids ${id(1)}`];
  expect(linesFor(id(1), steps, [untrusted])).toEqual([
    `aws ec2 modify-volume --volume-id ${id(1)}`,
    'aws ec2 modify-volume --volume-id <volume-id>',
    `aws ec2 x --volume-ids ${id(1)} <volume-id>`,
  ]);
});

test('where the id of the one itself is none its lines stay: they have a placeholder already', () => {
  const steps = ['aws ec2 modify-volume --volume-id <volume-id>', 'aws ec2 wait'];
  // "aws" is an id that somebody wrote into a file: no word of a command is taken for it.
  expect(linesFor('aws', steps, [id(2)])).toEqual(steps);
});

test('a snapshot of a member is one of all at the same moment, of an instance that has an id', () => {
  const steps = [run(`aws ec2 create-snapshot --volume-id ${id(1)}`)];
  const stripe = aStripe(2, { instanceId: '$(reboot)', region: 'us-east-1' });
  expect(
    commandsOf(recommendationForAll(aRecommendation({ steps }), { stripe, volumeId: id(1), risk })),
  ).toEqual([
    'aws ec2 create-snapshots --region us-east-1 --instance-specification InstanceId=<instance-id>,ExcludeBootVolume=true',
  ]);
});

test('of members that are as bad, what the one that wants the most takes is recommended for all', () => {
  const wanting = (number: number, usd: number) =>
    throttled(number, 12, {
      recommendations: [aRecommendation({ steps: [run(`For ${number}.`)], monthlyUsdDelta: usd })],
    });
  const finding = only([wanting(1, 7.5), wanting(2, 9.8), wanting(3, 7.7)], aStripe(3));
  expect(evidenceIn(finding).worstMember).toBe(id(2));
  expect(finding.recommendations).toMatchObject([{ steps: [{ command: 'For 2.' }], monthlyUsdDelta: 29.4 }]); // 3 x 9.8
  // Who was throttled for longer goes before who wants more.
  const longer = only(
    [wanting(2, 9.8), withEvidence(wanting(1, 7.5), { throttledMinutesPeak24h: 13 })],
    aStripe(2),
  );
  expect(evidenceIn(longer).worstMember).toBe(id(1));
});
