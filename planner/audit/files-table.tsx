/** What was given: each file, how large it is, what it is. */
import { figure } from '../../core/figures.ts';
import { TableGround } from '../../report/browser/shared/table-ground.tsx';
import { Text } from '../../report/browser/shared/text.tsx';
import { kindTexts, sizeText } from './given-files.ts';
import type { GivenArchive, GivenFile, SessionState } from './session.ts';

interface FilesTableProps {
  state: Pick<SessionState, 'files' | 'archives' | 'passedOver'>;
  isBusy: boolean;
  onRemove: (id: number) => void;
}

interface RemoveProps {
  name: string;
  isBusy: boolean;
  onRemove: () => void;
}

const Remove = ({ name, isBusy, onRemove }: RemoveProps) => (
  <td class="no-print">
    <button
      type="button"
      class="button small"
      aria-label={`Remove ${name}`}
      disabled={isBusy}
      onClick={onRemove}
    >
      Remove
    </button>
  </td>
);

const FileRow = ({
  one: { name, file, kind, problem },
  ...remove
}: { one: GivenFile } & Omit<RemoveProps, 'name'>) => (
  <tr>
    <th scope="row">
      <Text value={name} />
    </th>
    <td class="number" data-head="Size">
      {sizeText(file.size)}
    </td>
    <td class={kind === null ? 'audit-refused' : ''} data-head="What it is">
      {kind === null ? <Text value={problem ?? ''} /> : kindTexts[kind]}
    </td>
    <Remove name={name} {...remove} />
  </tr>
);

const ArchiveRow = ({
  one: { name, bytes, files },
  ...remove
}: { one: GivenArchive } & Omit<RemoveProps, 'name'>) => (
  <tr>
    <th scope="row">
      <Text value={name} />
    </th>
    <td class="number" data-head="Size">
      {sizeText(bytes)}
    </td>
    <td data-head="What it is">an archive of {figure(files.length, 0)} files</td>
    <Remove name={name} {...remove} />
  </tr>
);

export function FilesTable({ state: { files, archives, passedOver }, isBusy, onRemove }: FilesTableProps) {
  return (
    <>
      <TableGround label="Files given">
        <table class="audit-table">
          <caption class="unseen">Files given</caption>
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col" class="number">
                Size
              </th>
              <th scope="col">What it is</th>
              <td class="no-print" />
            </tr>
          </thead>
          <tbody>
            {archives.map((one) => (
              <ArchiveRow key={one.id} one={one} isBusy={isBusy} onRemove={() => onRemove(one.id)} />
            ))}
            {files.map((one) => (
              <FileRow key={one.id} one={one} isBusy={isBusy} onRemove={() => onRemove(one.id)} />
            ))}
          </tbody>
        </table>
      </TableGround>
      {passedOver === 0 ? null : (
        <p class="faint">
          Passed over: {figure(passedOver, 0)} files of directories that are neither JSON nor of an archive.
        </p>
      )}
    </>
  );
}
