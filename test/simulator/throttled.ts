/** What throttled a volume: noted second by second, written down by the minute. */
import { bindTogether, CauseTally, causeBit, causeCode, isThrottled } from './causes.ts';
import { count, type VolumeLedger } from './ledgers.ts';
import type { VolumeCapacity } from './volume-capacity.ts';

const stalledCode = causeCode('stalled');
const stalledBit = causeBit(stalledCode);

export class Throttled {
  private readonly ledger: VolumeLedger;
  private readonly capacity: VolumeCapacity;
  private readonly tally = new CauseTally();
  private ownCode = 0;
  private ownBits = 0;
  private ownHeld = false;

  constructor(ledger: VolumeLedger, capacity: VolumeCapacity) {
    this.ledger = ledger;
    this.capacity = capacity;
  }

  /** The volume completes nothing in this second, or nothing is asked of it. */
  nothingOffered(): void {
    this.ownHeld = false;
  }

  /** @param byUnits and @param byBytes the part of what is demanded that each of the volume's own limits allows. */
  offered(demandIo: number, offeredIo: number, byUnits: number, byBytes: number): void {
    const { capacity } = this;
    const unitsCode = capacity.outOfCredits() ? capacity.creditsCode : capacity.unitsCode;
    this.ownCode = byBytes < byUnits ? capacity.throughputCode : unitsCode;
    this.ownBits = bindTogether(byUnits, byBytes)
      ? causeBit(capacity.throughputCode) | causeBit(unitsCode)
      : causeBit(this.ownCode);
    this.ownHeld = isThrottled(demandIo, offeredIo);
  }

  /** @param instanceCode by what the instance throttled, 0 where it did not; @param instanceBits all of its that bound. */
  note(
    minute: number,
    demandIo: number,
    servedIo: number,
    stalled: boolean,
    instanceCode: number,
    instanceBits: number,
  ): void {
    if (this.ownHeld) this.noteChecks(minute);
    if (stalled && demandIo >= 1) {
      this.ledger.stalled[minute] = 1;
      this.tally.add(stalledCode, stalledBit);
    } else if (isThrottled(demandIo, servedIo)) {
      if (instanceCode === 0) this.tally.add(this.ownCode, this.ownBits);
      else this.tally.add(instanceCode, instanceBits | (this.ownHeld ? this.ownBits : 0));
    }
  }

  /** The seconds that checks are made of: an empty bucket shows as whatever the bucket counts. */
  private noteChecks(minute: number): void {
    const { creditsCode, unitsCode, throughputCode } = this.capacity;
    const { ledger, ownBits } = this;
    const byUnits = (ownBits & (causeBit(unitsCode) | causeBit(creditsCode))) !== 0;
    const unitsAreBytes = unitsCode === throughputCode;
    if (byUnits && !unitsAreBytes) count(ledger.iopsExceeded, minute);
    if ((ownBits & causeBit(throughputCode)) !== 0 || (byUnits && unitsAreBytes)) {
      count(ledger.throughputExceeded, minute);
    }
  }

  endMinute(minute: number): void {
    this.tally.close(this.ledger, minute);
  }
}
