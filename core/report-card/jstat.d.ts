/** What we use of it: it comes without types, and as CommonJS with one object. */
declare module 'jstat' {
  const jStat: { studentt: { inv(probability: number, degreesOfFreedom: number): number } };
  export default jStat;
}
