import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** FNV-1a: a name's own number, so that one more volume in the plan changes no other volume's luck. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** One number in [0, 1) that follows from the text alone. */
export function chanceOf(text: string): number {
  const hash = hash32(text);
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
}

/** Uniform numbers in [0, 1), always the same for a seed and a name. */
export function uniformSource(seed: number, name: string): () => number {
  const generator = xoroshiro128plus((hash32(name) ^ Math.imul(seed, 0x9e3779b1)) | 0);
  for (let i = 0; i < 8; i++) generator.next();
  return () => (generator.next() >>> 0) / 4_294_967_296;
}

/** Sixteen hexadecimal digits after `prefix`, as in `vol-0123456789abcdef0`. */
export function resourceId(prefix: string, seed: number, name: string): string {
  const uniform = uniformSource(seed, `id of ${prefix}${name}`);
  let digits = '';
  while (digits.length < 16) digits += Math.floor(uniform() * 16).toString(16);
  return `${prefix}${digits}`;
}
