/** What holds for a whole minute of a volume: how large its I/O are, how long one takes, whether any completes. */
import type { VolumeLimits } from '../../core/limits/volume-limits.ts';
import type { Load } from './loads.ts';
import type { VolumeCapacity } from './volume-capacity.ts';

/** Latency of an I/O that waits for nobody, before its bytes are transferred. */
const baseMsByType = { gp3: 0.8, gp2: 0.9, io1: 0.6, io2: 0.3, st1: 6, sc1: 9, standard: 12 } as const;

export interface VolumeMinuteOptions {
  limits: VolumeLimits;
  load: Load;
  uniform: () => number;
  /** The luck of its service times, where it is not that of its arrivals. */
  serviceUniform?: (() => number) | undefined;
  /** How many times as long as usual an I/O takes on this volume. */
  serviceFactor?: number | undefined;
  /** Seconds that a read takes longer because it is the first of its block, on average. */
  firstReadSeconds?: ((planMinute: number) => number) | undefined;
}

export class VolumeMinute {
  ioMiB = 0;
  /** As the volume's limit counts one I/O. */
  unitsPerIo = 1;
  serviceSeconds = 0;
  stalled = false;
  private readonly options: VolumeMinuteOptions;
  private readonly capacity: VolumeCapacity;

  constructor(options: VolumeMinuteOptions, capacity: VolumeCapacity) {
    this.options = options;
    this.capacity = capacity;
  }

  start(planMinute: number): void {
    const {
      limits,
      load,
      uniform,
      serviceUniform = uniform,
      serviceFactor = 1,
      firstReadSeconds,
    } = this.options;
    this.stalled = load.stalled?.(planMinute) ?? false;
    const ioKiB = load.ioKiB(planMinute);
    this.ioMiB = ioKiB / 1024;
    this.unitsPerIo = this.capacity.unitsPerIo(ioKiB);
    // An I/O's bytes leave at the pace of the volume's throughput, so a large one takes longer on a slow volume.
    const transferMs = (this.ioMiB / limits.burstMiBps) * 1000;
    const jitter = 0.95 + 0.1 * serviceUniform();
    this.serviceSeconds = (serviceFactor * (baseMsByType[limits.volumeType] * jitter + transferMs)) / 1000;
    if (firstReadSeconds !== undefined) this.serviceSeconds += load.readShare * firstReadSeconds(planMinute);
  }
}
