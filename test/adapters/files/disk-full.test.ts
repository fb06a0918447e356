/** A full disk is a failure, not a bad input. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { writing } from '../../../adapters/files/write-file.ts';
import { DiskFull } from '../../../core/errors.ts';

test('what the system says of a full disk is DiskFull, in one line', () => {
  const full = openSync('/dev/full', 'w');
  try {
    expect(() => writing('/a/report.html', () => writeSync(full, 'text'))).toThrow(
      /^\/a\/report\.html: cannot be written: the disk is full; make room, or give another path$/,
    );
    expect(() => writing('/a/report.html', () => writeSync(full, 'text'))).toThrow(DiskFull);
  } finally {
    closeSync(full);
  }
});
