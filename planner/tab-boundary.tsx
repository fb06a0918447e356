/** A bug in one tab is one line in it: the others live on. */
import { Component, type ComponentChildren } from 'preact';
import { Text } from '../report/browser/shared/text.tsx';
import { lineOf } from './picked-file.ts';

interface BoundaryProps {
  /** Of the tab, as its button says it. */
  name: string;
  /** What the tab was asked is forgotten. */
  onReset: () => void;
  children: ComponentChildren;
}

interface Failed {
  message: string | null;
}

export class TabBoundary extends Component<BoundaryProps, Failed> {
  override state: Failed = { message: null };

  override componentDidCatch(error: unknown): void {
    this.setState({ message: lineOf(error) });
  }

  override render() {
    const { name, onReset, children } = this.props;
    const { message } = this.state;
    if (message === null) return children;
    return (
      <div class="lines" role="alert">
        <p class="banner">
          This is a mistake of the page: "{name}" cannot be shown (<Text value={message} />
          ). The other tabs work.
        </p>
        <button
          type="button"
          class="button"
          onClick={() => {
            onReset();
            this.setState({ message: null });
          }}
        >
          Begin anew
        </button>
      </div>
    );
  }
}
