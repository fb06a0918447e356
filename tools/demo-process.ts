/** How a demo ends before its time. */

/** @param name of the demo. What it started is ended by the watchdog, however this process ends. */
export function endWithParent(name: string): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => {
      console.error(`${name}: ended by ${signal}, and with it all that it started.`);
      process.exit(code);
    });
  }
  // Where tools/run.mjs is killed nobody reads on; what was started by hand may outlive its shell.
  const startedBy = process.ppid;
  if (process.env['npm_lifecycle_event'] !== undefined)
    setInterval(() => process.ppid !== startedBy && process.exit(143), 250).unref();
}
