/** Panels one below the other, each below its title. */
export const titlePixels = 22;
export const axisPixels = 26;
const legendPixels = 26;
const gapPixels = 14;

export interface Placed<What> {
  what: What;
  /** Of its ground; the title stands above it. */
  top: number;
  heightPixels: number;
}

/** From below the legend. */
export function placed<What extends { heightPixels: number }>(all: readonly What[]): Placed<What>[] {
  let top = legendPixels;
  return all.map((what) => {
    const one = { what, top: top + titlePixels, heightPixels: what.heightPixels };
    top = one.top + what.heightPixels + gapPixels;
    return one;
  });
}

/** Down to its lower edge, with the axis below the last. */
export const heightOf = (all: readonly Placed<unknown>[]): number => {
  const last = all.at(-1);
  return last === undefined ? legendPixels : last.top + last.heightPixels + axisPixels;
};
