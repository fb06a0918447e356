/** The lab: a guest that runs the project's own documents over disks that behave as volumes. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandDocument } from '../../lib/shared/command-document.ts';
import { endRunning } from '../running.ts';
import type { Passing } from './agent-script.ts';
import { runDocument } from './document-run.ts';
import type { Ended } from './guest-agent.ts';
import { ensureImage, type Image } from './image.ts';
import { type Disk, LabVm } from './vm.ts';

export interface LabOptions {
  /** The checkout. */
  root: string;
  /** Of this lab alone, below `.local-aws/lab`; what an earlier one left there is ended and removed. */
  name: string;
  disks: readonly Disk[];
  /** Called with in one line when something takes time. */
  say: (line: string) => void;
}

export const labDirectory = (root: string): string => join(root, '.local-aws', 'lab');

interface RunOptions {
  passing?: Passing;
  environment?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

export class Lab {
  vm: LabVm;
  private readonly root: string;
  private readonly image: Image;

  private constructor(root: string, image: Image, vm: LabVm) {
    this.root = root;
    this.image = image;
    this.vm = vm;
  }

  /** @throws LabUnavailable where this machine cannot have one. */
  static async start({ root, name, disks, say }: LabOptions): Promise<Lab> {
    const image = ensureImage(labDirectory(root), say);
    const directory = join(labDirectory(root), name);
    await endRunning(directory);
    rmSync(directory, { recursive: true, force: true });
    return new Lab(root, image, await LabVm.start({ image, directory, disks }));
  }

  /** One that was left running. @throws HostGone where there is none. */
  static async connect(root: string, name: string): Promise<Lab> {
    const image = ensureImage(labDirectory(root), () => {});
    return new Lab(root, image, await LabVm.connect(join(labDirectory(root), name)));
  }

  /** One of the project's documents, without Systems Manager in between: what is not given has its default. */
  run(
    document: string,
    parameters: Readonly<Record<string, string>>,
    options: RunOptions = {},
  ): Promise<Ended> {
    const content = commandDocument(this.root, document);
    const defaults = Object.entries(content.parameters ?? {}).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    );
    return runDocument(this.vm.agent, {
      document: { name: document, version: '1', content: JSON.stringify(content) },
      parameters: { ...Object.fromEntries(defaults), ...parameters },
      passing: options.passing ?? 'environment',
      environment: {
        AWS_SSM_INSTANCE_ID: 'i-00000000000000001ab',
        AWS_SSM_REGION_NAME: 'us-east-1',
        ...options.environment,
      },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  }

  /** The power goes and comes back: disks are in the order given, so that each may have another name. */
  async restart(disks: readonly Disk[]): Promise<void> {
    const { directory } = this.vm;
    await this.vm.stop();
    this.vm = await LabVm.start({ image: this.image, directory, disks });
  }

  /** A new guest with new disks in its place. */
  async renew(disks: readonly Disk[]): Promise<void> {
    const { directory } = this.vm;
    await this.stop();
    this.vm = await LabVm.start({ image: this.image, directory, disks });
  }

  /** With its disks. */
  async stop(): Promise<void> {
    await this.vm.stop();
    rmSync(this.vm.directory, { recursive: true, force: true });
  }
}
