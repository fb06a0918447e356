/** Files that somebody picked: too large ones are refused before they are read. */
import { lineOf, readPicked } from '../../planner/picked-file.ts';

const mib = 1024 ** 2;
const file = (size: number, text: () => Promise<string>) => ({ name: 'a.json', size, text });

test('a file is read with its name', async () => {
  const read = await readPicked(
    file(2, async () => '{}'),
    1,
    'another',
  );
  expect([read.name, read.text()]).toEqual(['a.json', '{}']);
});

test('one that is larger is refused, and nothing of it is read', async () => {
  const text = jest.fn(async () => '{}');
  await expect(readPicked(file(65 * mib, text), 64, '`stripewise grade FILE`')).rejects.toThrow(
    'a.json: it is 65 MiB, and this page takes 64 MiB of it at most; use `stripewise grade FILE`',
  );
  expect(text).not.toHaveBeenCalled();
  await readPicked(file(64 * mib, text), 64, '`stripewise grade FILE`');
  expect(text).toHaveBeenCalledTimes(1);
});

test('one that cannot be read any more is one line', async () => {
  const gone = file(2, () => Promise.reject(new Error('NotReadableError\nat somewhere')));
  await expect(readPicked(gone, 1, 'another')).rejects.toThrow(
    'a.json: cannot be read (NotReadableError); pick the file again',
  );
  expect(lineOf('a\u001b[2Jb\nc')).toBe('a\\u{1b}[2Jb');
});
