/** A UNIX socket on which JSON goes to and fro, a line each: QMP's and the guest agent's. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';

/** The other end is gone, or said nothing in time. */
export class HostGone extends Error {
  override readonly name = 'HostGone';
  /** It said nothing, though it may be there. */
  readonly isSilent: boolean;

  constructor(message: string, { isSilent = false, ...options }: ErrorOptions & { isSilent?: boolean } = {}) {
    super(message, options);
    this.isSilent = isSilent;
  }
}

export interface LineSocket {
  write(bytes: Buffer | string): void;
  close(): void;
  /** Called once, when the other end is gone. */
  onClosed: (() => void) | null;
}

async function connected(path: string, untilMs: number): Promise<Socket> {
  for (;;) {
    const socket = connect(path);
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      // QEMU makes its sockets a moment after it was started.
      if (Date.now() > untilMs) throw new HostGone(`nothing listens at ${path}`, { cause: error });
      await after(20);
    }
  }
}

/** @param onLine gets each line that is JSON; an agent that was restarted can begin in the middle of one. */
export async function openLines(
  path: string,
  timeoutMs: number,
  onLine: (value: unknown) => void,
): Promise<LineSocket> {
  const socket = await connected(path, Date.now() + timeoutMs);
  const lines: LineSocket = {
    write: (bytes) => void socket.write(bytes),
    close: () => socket.destroy(),
    onClosed: null,
  };
  // Bytes as characters: 0xFF, which flushes the agent, is in no UTF-8.
  socket.setEncoding('latin1');
  let rest = '';
  socket.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const text = Buffer.from(part.slice(part.lastIndexOf('\u00ff') + 1), 'latin1').toString('utf8');
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        continue;
      }
      onLine(value);
    }
  });
  socket.on('error', () => {});
  socket.on('close', () => lines.onClosed?.());
  return lines;
}
