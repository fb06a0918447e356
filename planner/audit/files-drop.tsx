/** Where files and directories are dropped or chosen. */
import { useId } from 'preact/hooks';
import { DropGround } from '../file-drop.tsx';
import { pathsOfChoice, pathsOfDrop } from './dropped.ts';
import { type GivenPath, maxFileMiB } from './given-files.ts';

interface FilesDropProps {
  isBusy: boolean;
  onPaths: (paths: GivenPath[]) => void;
  onTrouble: (error: unknown) => void;
}

interface ChooserProps {
  label: string;
  hintId: string;
  isBusy: boolean;
  isDirectory: boolean;
  onPaths: (paths: GivenPath[]) => void;
}

function Chooser({ label, hintId, isBusy, isDirectory, onPaths }: ChooserProps) {
  const id = useId();
  return (
    <>
      <input
        id={id}
        class="unseen"
        type="file"
        multiple
        disabled={isBusy}
        aria-describedby={hintId}
        {...(isDirectory ? { webkitdirectory: true } : { accept: '.json,.gz' })}
        onChange={({ currentTarget }) => {
          const paths = pathsOfChoice(currentTarget.files ?? new DataTransfer().files);
          // The same file may be chosen again after it was changed.
          currentTarget.value = '';
          if (paths.length > 0) onPaths(paths);
        }}
      />
      <label for={id} class="button">
        {label}
      </label>
    </>
  );
}

export function FilesDrop({ isBusy, onPaths, onTrouble }: FilesDropProps) {
  const hintId = useId();
  return (
    <DropGround
      isBusy={isBusy}
      busyText="An audit is running: cancel it, or wait, then give the files again."
      onDropped={(dropped) => void pathsOfDrop(dropped).then(onPaths, onTrouble)}
    >
      <div class="audit-choosers">
        <Chooser label="Choose files" isDirectory={false} {...{ hintId, isBusy, onPaths }} />
        <Chooser label="Choose an archive's directory" isDirectory {...{ hintId, isBusy, onPaths }} />
      </div>
      <p id={hintId} class="ask-hint">
        Or drop them here: what the AWS CLI prints as JSON, also gzip, up to {maxFileMiB} MiB a file. Or the
        directory of an archive (Parquet). What a file is, is seen by what it holds.
      </p>
    </DropGround>
  );
}
