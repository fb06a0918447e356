/** Where files are dropped or picked. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useState } from 'preact/hooks';
import { Hint } from './form.tsx';

interface DropGroundProps {
  isBusy: boolean;
  /** Said of what is dropped meanwhile: what to do about it. */
  busyText: string;
  onDropped: (dropped: DataTransfer) => void;
  children: ComponentChildren;
}

/** The buttons in it are what a keyboard and a screen reader use; all may be dropped around them. */
export function DropGround({ isBusy, busyText, onDropped, children }: DropGroundProps) {
  const [isOver, setOver] = useState(false);
  const [isRefused, setRefused] = useState(false);
  // Before anything else can be dropped: what is refused later stays refused.
  useLayoutEffect(() => setRefused(false), [isBusy]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a keyboard has the buttons in it; a mouse may drop files around those
    <div
      class={isOver ? 'drop is-over no-print' : 'drop no-print'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (isBusy) setRefused(true);
        else if (event.dataTransfer !== null) onDropped(event.dataTransfer);
      }}
    >
      {children}
      <p role="alert" class="ask-error">
        {isRefused && isBusy ? busyText : ''}
      </p>
    </div>
  );
}

interface FileDropProps {
  /** "Choose files of prices". */
  label: string;
  /** What to give, in a line. */
  hint: string;
  /** As an input has it: ".json,.log". */
  accept: string;
  isBusy?: boolean;
  onFiles: (files: readonly File[]) => void;
}

export function FileDrop({ label, hint, accept, isBusy = false, onFiles }: FileDropProps) {
  const id = useId();
  const take = (files: readonly File[]): void => {
    if (files.length > 0) onFiles(files);
  };
  return (
    <DropGround
      isBusy={isBusy}
      busyText="The files before these are still being read: wait, then give these again."
      onDropped={({ files }) => take([...files])}
    >
      <input
        id={id}
        class="unseen"
        type="file"
        multiple
        accept={accept}
        disabled={isBusy}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // The same file may be picked again after it was changed.
          currentTarget.value = '';
          take(files);
        }}
      />
      <label for={id} class="button tall">
        {isBusy ? 'Reading…' : label}
      </label>
      <Hint id={`${id}-hint`} text={hint} />
    </DropGround>
  );
}
