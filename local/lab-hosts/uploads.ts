/** Uploads to S3 of a guest that has no network: it asks for them by a file (aws.sh), and here they are done. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { sanitizeFirstLine } from '../../core/sanitize.ts';
import type { GuestAgent } from '../lab/guest-agent.ts';
import { HostGone } from '../lab/line-socket.ts';

const pollMs = 500;
const spool = '/run/stripewise-aws';
const cli = '/usr/local/bin/aws';

interface Request {
  id: string;
  path: string;
  bucket: string;
  key: string;
}

export function requestOf(text: string): Request | null {
  const [, id, path, bucket, key] = /^(\S+)\n(\/.+)\ns3:\/\/([^/\n]+)\/(.+)\n$/.exec(text) ?? [];
  return id === undefined || path === undefined || bucket === undefined || key === undefined
    ? null
    : { id, path, bucket, key };
}

/** As the AWS CLI says it. */
export const failureText = (error: unknown): string =>
  error instanceof S3ServiceException
    ? `An error occurred (${error.name}) when calling the PutObject operation: ${sanitizeFirstLine(error.message, 300)}`
    : `Could not connect to S3: ${sanitizeFirstLine(String(error), 300)}`;

export class Uploads {
  private readonly agent: GuestAgent;
  private readonly s3: S3Client;
  private commands = 0;
  private isWatching = false;
  private lastId = '';

  private constructor(agent: GuestAgent, s3: S3Client) {
    this.agent = agent;
    this.s3 = s3;
  }

  /** @throws HostGone */
  static async install(agent: GuestAgent, s3: S3Client): Promise<Uploads> {
    await agent.writeFile(cli, readFileSync(join(import.meta.dirname, 'aws.sh')));
    const { exitCode, stderr } = await agent.run('/bin/chmod', ['755', cli]);
    if (exitCode !== 0) throw new Error(`${cli} could not be made: ${stderr}`);
    return new Uploads(agent, s3);
  }

  /** A look starts no process in the guest; still there is none while no command runs. */
  async during<T>(command: () => Promise<T>): Promise<T> {
    this.commands += 1;
    void this.watch();
    try {
      return await command();
    } finally {
      this.commands -= 1;
    }
  }

  private async watch(): Promise<void> {
    if (this.isWatching) return;
    this.isWatching = true;
    while (this.commands > 0) {
      await after(pollMs);
      try {
        await this.answer();
      } catch (error) {
        // The command hears of it too. What was refused is tried again.
        if (error instanceof HostGone) break;
      }
    }
    this.isWatching = false;
  }

  private async answer(): Promise<void> {
    const request = await this.requested();
    if (request === null || request.id === this.lastId) return;
    const failure = await this.upload(request);
    await this.agent.writeFile(
      `${spool}/answer`,
      `${request.id} ${failure === null ? '0 ' : `1 ${failure}`}\n`,
    );
    this.lastId = request.id;
  }

  private async requested(): Promise<Request | null> {
    try {
      return requestOf((await this.agent.readFile(`${spool}/request`)).toString('utf8'));
    } catch (error) {
      if (error instanceof HostGone) throw error;
      // There is none.
      return null;
    }
  }

  private async upload({ path, bucket, key }: Request): Promise<string | null> {
    try {
      const Body = await this.agent.readFile(path);
      const type = path.endsWith('.json') ? { ContentType: 'application/json' } : {};
      await this.s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body, ...type }));
      return null;
    } catch (error) {
      if (error instanceof HostGone) throw error;
      return failureText(error);
    }
  }
}
