/** The client of the guest's agent against one that answers late, in the middle of something else, or goes. */
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { GuestAgent } from '../../../local/lab/guest-agent.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

type Answer = (request: { execute: string; arguments: Record<string, unknown> }, socket: Socket) => unknown;

const directory = temporaryDirectory();
const servers: Server[] = [];
const freshPath = (): string => join(directory.path, `agent-${servers.length}-${Date.now()}`);
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** @param answer what is returned to a call; nothing is said where it returns undefined. */
async function agentThat(answer: Answer): Promise<string> {
  const path = freshPath();
  const server = createServer((socket) => {
    socket.setEncoding('latin1');
    socket.on('error', () => {});
    socket.on('data', (text: string) => {
      for (const line of text.replaceAll('\u00ff', '').split('\n').filter(Boolean)) {
        const request = JSON.parse(line);
        const value =
          request.execute === 'guest-sync-delimited' ? request.arguments.id : answer(request, socket);
        const mark = request.execute === 'guest-sync-delimited' ? 'half of an old li\u00ff' : '';
        if (value !== undefined) socket.write(`${mark}${JSON.stringify({ return: value })}\n`, 'latin1');
      }
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return path;
}

const connected = (path: string): Promise<GuestAgent> => GuestAgent.connect(path, 3_000);

test('a command: started, asked for until it has ended, its output decoded', async () => {
  let asked = 0;
  const path = await agentThat(({ execute, arguments: args }) => {
    if (execute === 'guest-exec') {
      expect(args).toMatchObject({ path: '/usr/bin/setsid', arg: ['/bin/true', 'a b'] });
      expect(args['env']).toContain('NAME=value');
      return { pid: 7 };
    }
    asked += 1;
    if (asked < 3) return { exited: false };
    return { exited: true, exitcode: 4, 'out-data': Buffer.from('zwölf').toString('base64') };
  });
  const agent = await connected(path);
  const ended = await agent.run('/bin/true', ['a b'], { environment: { NAME: 'value' } });
  expect(ended).toEqual({ exitCode: 4, signal: null, hasTimedOut: false, stdout: 'zwölf', stderr: '' });
  agent.close();
});

test.each([
  ['its time is over', { timeoutMs: 30 }, true],
  ['it is called off', { signal: AbortSignal.abort() }, false],
])('killed as a group once, because %s', async (_why, options, hasTimedOut) => {
  const killed: unknown[] = [];
  const path = await agentThat(({ execute, arguments: args }) => {
    if (execute !== 'guest-exec') return killed.length > 0 ? { exited: true, signal: 9 } : { exited: false };
    const [program, ...rest] = args['arg'] as string[];
    if (program === '/bin/kill') killed.push(rest);
    return { pid: 7 };
  });
  const agent = await connected(path);
  const ended = await agent.run('/bin/sleep', ['99'], options);
  expect(ended).toMatchObject({ exitCode: null, signal: 9, hasTimedOut });
  expect(killed).toEqual([['-KILL', '--', '-7']]);
  agent.close();
});

test('a guest that goes while a command runs is said to be gone, and so is every later call', async () => {
  const path = await agentThat(({ execute }, socket) => {
    if (execute === 'guest-exec') return { pid: 7 };
    socket.destroy();
    return undefined;
  });
  const agent = await connected(path);
  await expect(agent.run('/bin/sleep', ['99'])).rejects.toThrow('the guest is gone');
  await expect(agent.shell('true')).rejects.toThrow('the guest is gone');
});

test('an agent that says nothing is given up', async () => {
  const path = freshPath();
  const server = createServer(() => {});
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  await expect(GuestAgent.connect(path, 600)).rejects.toThrow('said nothing in 0.6 s');
});

test('answers to a hello that come late are taken for nothing else', async () => {
  const path = freshPath();
  const server = createServer((socket) => {
    let before = Promise.resolve();
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (text: string) => {
      for (const line of text.replaceAll('\u00ff', '').split('\n').filter(Boolean)) {
        const { execute, arguments: args } = JSON.parse(line);
        const [value, ms] =
          execute === 'guest-sync-delimited' ? [args.id, 350] : [{ pid: 7, exited: true, exitcode: 3 }, 1];
        // In the order in which it was asked, as the agent does.
        before = before
          .then(() => after(ms))
          .then(() => void socket.write(`${JSON.stringify({ return: value })}\n`));
      }
    });
    // To somebody who was here before.
    socket.write('{"return": 5}\n');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const agent = await connected(path);
  expect(await agent.run('/bin/true', [])).toMatchObject({ exitCode: 3 });
  agent.close();
});

test('a file in parts', async () => {
  const parts = ['first ', 'second'];
  const path = await agentThat(({ execute }) => {
    if (execute === 'guest-file-open') return 1_000;
    if (execute === 'guest-file-close') return {};
    const part = parts.shift() ?? '';
    return { count: part.length, 'buf-b64': Buffer.from(part).toString('base64'), eof: parts.length === 0 };
  });
  const agent = await connected(path);
  expect((await agent.readFile('/some/file')).toString()).toBe('first second');
  agent.close();
});
