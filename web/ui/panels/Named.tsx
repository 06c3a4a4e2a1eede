/** The mark that stands for the name until the text is split; no text contains this character. */
const MARK = "\0";

interface Props {
  readonly name: string;
  /** Returns the text around the name. */
  readonly children: (name: string) => string;
}

/** A text with a name in it, whose letters may run in the other direction. */
export function Named({ name, children }: Props) {
  const [before, after] = children(MARK).split(MARK);
  return (
    <>
      {before}
      <bdi>{name}</bdi>
      {after}
    </>
  );
}
