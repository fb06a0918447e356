/** How far a replayed balance is from the published one. */

export interface Deviation {
  /** Median of the absolute differences in percentage points, to a tenth of a point. */
  medianPoints: number;
  largestPoints: number;
  /** Published points that were compared. */
  comparedPoints: number;
}

const binsPerPoint = 10;
const mostPoints = 100;

/** Absolute differences by tenths of a point: a median without sorting. */
export class DeviationTally {
  private readonly bins = new Uint32Array(mostPoints * binsPerPoint + 1);
  private largest = 0;
  private count = 0;

  /** Both in percent; where either is unknown (NaN) there is nothing to compare. */
  add(replayed: number, published: number): void {
    const points = Math.abs(replayed - published);
    if (!(points <= mostPoints)) return;
    const bin = Math.round(points * binsPerPoint);
    this.bins[bin] = (this.bins[bin] as number) + 1;
    if (points > this.largest) this.largest = points;
    this.count++;
  }

  /** Null where nothing was compared. Of an even number the lower of the two in the middle. */
  result(): Deviation | null {
    if (this.count === 0) return null;
    let bin = 0;
    for (let seen = this.bins[0] as number; seen * 2 < this.count; seen += this.bins[bin] as number) bin++;
    const largestPoints = Math.round(this.largest * binsPerPoint) / binsPerPoint;
    return { medianPoints: bin / binsPerPoint, largestPoints, comparedPoints: this.count };
  }
}
