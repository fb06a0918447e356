/** What roles allow against what the tests of the deployed service were seen to ask: permissions.json, which those tests write and hold to. */
import { readPermissions } from './check-requests.ts';
import { explained } from './explained.ts';

const { granted, seen } = readPermissions();
const used = new Set(Object.values(seen).flat());
const unused = [...new Set(Object.values(granted).flat())].filter((line) => !used.has(line));

test('each permission of each role is used by a recorded request, or it is said who uses it', () => {
  expect(used.size).toBeGreaterThan(100);
  expect(unused.filter((line) => !explained.some(({ permission }) => permission.test(line)))).toEqual([]);
});

test('nothing is explained that a recorded request uses, or that no role allows', () => {
  const vain = explained.filter(({ permission }) => !unused.some((line) => permission.test(line)));
  expect(vain.map(({ reason }) => reason)).toEqual([]);
});

test('of several accounts who reads takes the role of a member, and who writes the archive takes none', () => {
  const takes = (granted['organization'] ?? []).filter((line) => line.includes(' sts:AssumeRole '));
  const roles = takes.map((line) => line.split(' ')[0]);
  expect(roles).toContain('AuditEvaluateBatchRole');
  expect(roles).not.toContain('AuditCommitArchiveRole');
});
