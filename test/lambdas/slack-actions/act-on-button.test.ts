/** Buttons in Slack: obeyed where Slack sent them, just now, for the first time. */
import { slackSignature } from '../../../core/delivery/slack-signature.ts';
import { Unavailable } from '../../../core/errors.ts';
import {
  type ActionResult,
  type ActWith,
  actOnButton,
  type ButtonRequest,
  type SlackApp,
} from '../../../lambdas/slack-actions/act-on-button.ts';
import { buttons } from '../../../report/slack/message.ts';

const now = 1_795_132_800;
const secret = 'a signing secret of an app';
const partnersSecret = 'of another app';
const [teamId, partnersTeamId, enterpriseId] = ['T0OURS', 'T0PARTNERS', 'E0OURS'];
const findingId = '0123456789abcdef';
const responseUrl = 'https://hooks.slack.com/actions/T1/2/3';

interface Press {
  actionId?: string;
  value?: string;
  userId?: string;
  /** Whatever else Slack says of who pressed, and from where. */
  user?: object;
  team?: object | null;
  threadTs?: string;
}
const bodyOf = (press: Press): string => {
  const { actionId = buttons.mute, value = findingId, userId = 'U123', threadTs } = press;
  const { user = { team_id: teamId }, team = { id: teamId, domain: 'ours' } } = press;
  const payload = {
    ...{ type: 'block_actions', user: { id: userId, name: 'nobody', ...user }, team },
    response_url: responseUrl,
    message: { ts: '1795132000.000100', ...(threadTs === undefined ? {} : { thread_ts: threadTs }) },
    actions: [{ action_id: actionId, value, type: 'button' }],
  };
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
};
const signed = (body: string, at = now, key = secret): ButtonRequest => ({
  ...{ method: 'POST', body, timestamp: `${at}` },
  signature: slackSignature(key, `${at}`, body),
});

class World {
  done: unknown[][] = [];
  said: string[][] = [];
  troubles: string[] = [];
  private readonly seen = new Set<string>();
  obeyed: ActionResult = 'done';
  failing: Error | null = null;
  hasChanges = true;
  apps: SlackApp[] = [
    { signingSecret: partnersSecret, teamIds: [partnersTeamId] },
    { signingSecret: secret, teamIds: [teamId, enterpriseId] },
  ];

  use(): ActWith {
    const change = async (...done: unknown[]): Promise<ActionResult> => {
      if (this.failing !== null) throw this.failing;
      if (this.obeyed === 'done') this.done.push(done);
      return this.obeyed;
    };
    return {
      readApps: async () => this.apps,
      isFirst: async (id) => {
        if (this.seen.has(id)) return false;
        this.seen.add(id);
        return true;
      },
      mute: (...what) => change('mute', ...what),
      acknowledge: (...what) => change('acknowledge', ...what),
      changes: this.hasChanges
        ? {
            propose: async (...what) => `${await change('propose', ...what)}`,
            approve: async (...what) => `${await change('approve', ...what)}`,
            reject: async (...what) => `${await change('reject', ...what)}`,
            undo: async (...what) => `${await change('undo', ...what)}`,
          }
        : null,
      say: async (...what) => {
        this.said.push(what);
      },
      onTrouble: (reason) => {
        this.troubles.push(reason);
      },
    };
  }
}

async function press(request: ButtonRequest, world = new World(), at = now) {
  const { statusCode, body } = await actOnButton(request, at, world.use());
  return { statusCode, body, world };
}

test('muted for seven days, by whom, and the thread is notified', async () => {
  const { statusCode, world } = await press(signed(bodyOf({ threadTs: '1795130000.000001' })));
  expect(statusCode).toBe(200);
  expect(world.done).toEqual([['mute', findingId, now + 7 * 86_400, 'Slack user U123']]);
  expect(world.said).toEqual([
    [
      responseUrl,
      '1795130000.000001',
      // 2026-11-20 00:00 and seven days
      '<@U123> muted this: nothing of it is notified until 2026-11-27 00:00 UTC.',
    ],
  ]);
});

test('acknowledged, in the thread that begins with the message', async () => {
  const { world } = await press(signed(bodyOf({ actionId: buttons.acknowledge })));
  expect(world.done).toEqual([['acknowledge', findingId, 'Slack user U123']]);
  expect(world.said[0]?.[1]).toBe('1795132000.000100');
});

describe('a change of a volume', () => {
  const fingerprint = 'fedcba9876543210';

  test.each([
    ['requested', buttons.requestChange, findingId, ['propose', findingId]],
    [
      'approved for what was shown',
      buttons.approveChange,
      `c-1 ${fingerprint}`,
      ['approve', 'c-1', fingerprint],
    ],
    ['rejected', buttons.rejectChange, 'c-1', ['reject', 'c-1']],
    ['asked to be undone', buttons.undoChange, 'c-1', ['undo', 'c-1']],
  ])('is %s, by whom, and the thread says what came of it', async (_, actionId, value, done) => {
    const { statusCode, world } = await press(signed(bodyOf({ actionId, value })));
    expect(statusCode).toBe(200);
    expect(world.done).toEqual([[...done, 'slack:U123']]);
    expect(world.said).toEqual([[responseUrl, '1795132000.000100', 'done']]);
  });

  test.each([
    ['no fingerprint', buttons.approveChange, 'c-1'],
    ['a fingerprint that is none', buttons.approveChange, 'c-1 <!channel>'],
    ['two of them', buttons.approveChange, `c-1 ${fingerprint} ${fingerprint}`],
    ['an id that is none', buttons.rejectChange, 'c 1'],
    ['no id of a finding', buttons.requestChange, 'c-1'],
  ])('of a button with %s nothing is asked', async (_, actionId, value) => {
    const { statusCode, world } = await press(signed(bodyOf({ actionId, value })));
    expect([statusCode, world.done, world.said]).toEqual([200, [], []]);
  });

  test('is said not to be turned on where it is not', async () => {
    const world = new World();
    world.hasChanges = false;
    await press(signed(bodyOf({ actionId: buttons.undoChange, value: 'c-1' })), world);
    expect([world.done, world.said[0]?.[2]]).toEqual([
      [],
      'Changes of volumes are not turned on: `changes:` in stripewise.yaml does that.',
    ]);
  });

  test('a function that fails is said to pass, and nothing is said in the thread', async () => {
    const world = new World();
    world.failing = new Unavailable('lambda:InvokeFunction: the function failed');
    const { statusCode } = await press(signed(bodyOf({ actionId: buttons.undoChange, value: 'c-1' })), world);
    expect([statusCode, world.said]).toEqual([503, []]);
  });
});

test('who opens the report presses a button too: nothing changes', async () => {
  const { statusCode, world } = await press(signed(bodyOf({ actionId: buttons.open })));
  expect([statusCode, world.done, world.said]).toEqual([200, [], []]);
});

test.each([
  ['forgotten', 'gone', 'not remembered any more'],
  ['resolved', 'resolved', 'resolved already'],
] as const)('a finding that is %s is said to be', async (_, obeyed, words) => {
  const world = new World();
  world.obeyed = obeyed;
  await press(signed(bodyOf({})), world);
  expect(world.said[0]?.[2]).toContain(words);
});

describe('refused, and nothing is done', () => {
  test.each([
    ['forged', signed(bodyOf({}), now, 'another secret'), now],
    ['with another body', { ...signed(bodyOf({})), body: bodyOf({ actionId: buttons.acknowledge }) }, now],
    ['old', signed(bodyOf({}), now - 301), now],
    ['of the future', signed(bodyOf({}), now + 301), now],
    ['without a signature', { ...signed(bodyOf({})), signature: undefined }, now],
    ['without a time', { ...signed(bodyOf({})), timestamp: undefined }, now],
  ])('%s', async (_, request, at) => {
    const { statusCode, body, world } = await press(request, new World(), at);
    expect([statusCode, body]).toEqual([403, 'This request is not valid.\n']);
    expect(world.done).toEqual([]);
    expect(world.troubles).toEqual(['a request was not signed by Slack just now']);
  });

  test('the same request again, within the minutes in which it is valid', async () => {
    const world = new World();
    const request = signed(bodyOf({}));
    await press(request, world);
    const again = await press(request, world, now + 200);
    expect([again.statusCode, world.done.length, world.said.length]).toEqual([403, 1, 1]);
    expect(world.troubles).toEqual(['a request came again']);
  });

  test('another method than Slack uses', async () => {
    const { statusCode, world } = await press({ ...signed(bodyOf({})), method: 'GET' });
    expect([statusCode, world.done]).toEqual([405, []]);
  });
});

describe('who presses must be of a workspace or an organization that the secret names beside what signs', () => {
  test.each<[string, Press]>([
    ['of the workspace', {}],
    ['of the organization', { user: { team_id: enterpriseId } }],
    [
      'of an app that is installed in the whole organization',
      { user: { team_id: enterpriseId }, team: null },
    ],
  ])('%s: obeyed', async (_, how) => {
    const { statusCode, world } = await press(signed(bodyOf(how)));
    expect([statusCode, world.done.length, world.troubles]).toEqual([200, 1, []]);
  });

  test.each<[string, Press]>([
    ['of a partner, in a shared channel', { user: { team_id: 'T0GUEST' } }],
    ['of the workspace of another app', { user: { team_id: partnersTeamId } }],
    ['of another organization', { user: { team_id: 'E0GUEST' }, team: null }],
    ['of nobody knows where', { user: {} }],
  ])('%s: refused, and nothing is said', async (_, how) => {
    const { statusCode, body, world } = await press(signed(bodyOf(how)));
    expect([statusCode, body]).toEqual([403, 'This request is not valid.\n']);
    expect([world.done, world.said]).toEqual([[], []]);
    expect(world.troubles).toEqual([
      'who pressed is of no workspace in teamIds of the secret of the channel',
    ]);
  });

  test('where the secret names none, nobody is', async () => {
    const world = new World();
    world.apps = [{ signingSecret: secret, teamIds: [] }];
    const { statusCode } = await press(signed(bodyOf({})), world);
    expect([statusCode, world.done]).toEqual([403, []]);
  });

  test('two channels of one app: who is of either', async () => {
    const world = new World();
    world.apps = [
      { signingSecret: secret, teamIds: [] },
      { signingSecret: secret, teamIds: [teamId] },
    ];
    expect((await press(signed(bodyOf({})), world)).statusCode).toBe(200);
  });
});

test('the same button pressed again is another request', async () => {
  const world = new World();
  await press(signed(bodyOf({})), world);
  await press(signed(bodyOf({}), now + 1), world);
  expect(world.done).toHaveLength(2);
});

test.each([
  ['a menu', new URLSearchParams({ payload: JSON.stringify({ type: 'view_submission' }) }).toString()],
  ['no JSON', 'payload=%7B'],
  ['no payload', 'text=hello'],
  ['nothing', ''],
  ['a value that is no id', bodyOf({ value: '../../etc/passwd' })],
  ['a user that is none', bodyOf({ userId: '<!channel>' })],
  ['a button of somebody else', bodyOf({ actionId: 'constructor' })],
])('%s that Slack signed changes nothing, and is no failure', async (_, body) => {
  const { statusCode, world } = await press(signed(body));
  expect([statusCode, world.done, world.said]).toEqual([200, [], []]);
});

test('what fails is said to pass, and why is for the log', async () => {
  const world = new World();
  world.failing = new Unavailable('dynamodb:PutItem failed: it is down');
  const { statusCode, body } = await press(signed(bodyOf({})), world);
  expect([statusCode, body]).toEqual([503, 'Try again in a minute.\n']);
  expect(world.troubles).toEqual(['a button could not be obeyed: dynamodb:PutItem failed: it is down']);
});
