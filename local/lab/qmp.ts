/** QMP: QEMU's own control, for disks that come, go and change while the guest runs. */
import { z } from 'zod';
import { HostGone } from './line-socket.ts';
import { Requests } from './requests.ts';

const eventSchema = z.object({ event: z.string(), data: z.looseObject({ device: z.string().optional() }) });

export class Qmp {
  private readonly requests: Requests;
  private readonly awaited: Map<string, () => void>;

  private constructor(requests: Requests, awaited: Map<string, () => void>) {
    this.requests = requests;
    this.awaited = awaited;
  }

  static async connect(socketPath: string, timeoutMs: number): Promise<Qmp> {
    const awaited = new Map<string, () => void>();
    const requests = await Requests.open(socketPath, timeoutMs, (value) => {
      const parsed = eventSchema.safeParse(value);
      if (parsed.success) awaited.get(`${parsed.data.event} ${parsed.data.data.device ?? ''}`)?.();
    });
    await requests.ask('qmp_capabilities');
    return new Qmp(requests, awaited);
  }

  /** @throws Refused, HostGone */
  ask(execute: string, args: object = {}): Promise<unknown> {
    return this.requests.ask(execute, args);
  }

  /** Takes a device away, and waits until the guest has let it go. @throws HostGone where it does not. */
  async removeDevice(id: string, timeoutMs = 60_000): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(new HostGone(`the guest keeps ${id}`)), timeoutMs);
    this.awaited.set(`DEVICE_DELETED ${id}`, resolve);
    try {
      await this.ask('device_del', { id });
      await promise;
    } finally {
      clearTimeout(timer);
      this.awaited.delete(`DEVICE_DELETED ${id}`);
    }
  }

  close(): void {
    this.requests.close();
  }
}
