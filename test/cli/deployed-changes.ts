/** The function of changes behind its address: it keeps changes, decides as the deployed one does, and knows who asks what. */
import { approve, askUndo, type Decided, reject } from '../../core/changes/decisions.ts';
import { type ChangesRequest, changesRequestSchema } from '../../core/schemas/changes-answers.ts';
import type { VolumeChange } from '../../core/schemas/volume-change.ts';
import { jsonReply, listen, type Reply, type RunningServer, readText } from '../../local/http.ts';
import { noon } from '../fixtures/volume-change.ts';
import { type DeployedStack, deployedStack } from './deployed-stack.ts';

/** Who asks here. */
export const dba = 'arn:aws:iam::111122223333:role/dba';
const approvalsNeeded = 1;

export interface DeployedChanges {
  stack: DeployedStack;
  changes: Map<string, VolumeChange>;
  asked: ChangesRequest[];
  killSwitch: 'go' | 'stop';
  approvers: string[];
  /** What a request for a change is answered. */
  proposed: object;
  /** Instead of the answer; null: it answers. */
  trouble: Reply | null | ((request: ChangesRequest) => Reply | null);
}

export function deployedChanges(): DeployedChanges {
  const all: DeployedChanges = {
    ...{ stack: deployedStack(), changes: new Map(), asked: [], killSwitch: 'go', approvers: [dba] },
    ...{ proposed: { refused: 'no-finding' }, trouble: null },
  };
  let server: RunningServer;

  const decided = (id: string, decide: (change: VolumeChange) => Decided): object => {
    const change = all.changes.get(id);
    if (change === undefined) return { refused: 'no-change' };
    const result = decide(change);
    if (!('change' in result)) return result;
    all.changes.set(id, result.change);
    return { ...result, approvalsNeeded };
  };

  function answer(request: ChangesRequest): object {
    const by = { by: dba, session: 'ann', nowSeconds: noon + 600 };
    const rules = { approvers: all.approvers, approvalsNeeded };
    const { killSwitch } = all;
    switch (request.do) {
      case 'list':
        return { changes: [...all.changes.values()], nowSeconds: noon + 600, killSwitch, approvalsNeeded };
      case 'show':
        return decided(request.id, (change) => ({ change }));
      case 'propose':
        return all.proposed;
      case 'approve':
        return decided(request.id, (change) => approve(change, request.fingerprint, by, rules));
      case 'reject':
        return decided(request.id, (change) => reject(change, by, rules));
      case 'undo':
        return decided(request.id, (change) => askUndo(change, by, rules));
      default:
        if (request.do === 'go' && !all.approvers.includes(dba)) return { refused: 'not-an-approver' };
        all.killSwitch = request.do;
        return { killSwitch: request.do };
    }
  }

  beforeAll(async () => {
    server = await listen(0, async (request) => {
      const asked = changesRequestSchema.parse(JSON.parse(await readText(request)));
      all.asked.push(asked);
      const trouble = typeof all.trouble === 'function' ? all.trouble(asked) : all.trouble;
      return trouble ?? jsonReply(answer(asked));
    });
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    process.env['AWS_ACCESS_KEY_ID'] = 'AKIAIOSFODNN7EXAMPLE';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
    all.stack.outputs({ RunsBucket: 'runs', ChangesUrl: `${server.url}/` });
    Object.assign(all, { changes: new Map(), asked: [], killSwitch: 'go', approvers: [dba], trouble: null });
  });
  return all;
}
