/** Axes that begin at zero and end at a round figure. */

export interface Scale {
  max: number;
  interval: number;
}

const steps = [1, 2, 2.5, 5, 10];

/** From zero to the first round figure that is not below `most`, in at most so many steps. */
export function scaleUpTo(most: number, maxSteps = 4): Scale {
  if (!(most > 0)) return { max: 1, interval: 1 };
  const least = most / maxSteps;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = steps.find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  const interval = Number((step * power).toPrecision(6));
  return { max: Number((Math.ceil((most / interval) * (1 - 1e-9)) * interval).toPrecision(6)), interval };
}

/**
 * Places for labels of one line each: as near as can be to where they belong, none over another, in the order given (top
 * to bottom).
 */
export function apart(wished: readonly number[], spacing: number, bottom: number): number[] {
  const places = [...wished];
  for (let i = 1; i < places.length; i++)
    places[i] = Math.max(places[i] as number, (places[i - 1] as number) + spacing);
  let room = bottom;
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i] as number, room);
    room = (places[i] as number) - spacing;
  }
  return places;
}
