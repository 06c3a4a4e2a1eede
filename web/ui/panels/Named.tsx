/** Stands for the name until the text is in parts; no text has this character. */
const MARK = "\0";

interface Props {
  readonly name: string;
  /** The text that says the name. */
  readonly children: (name: string) => string;
}

/** A text with a name in it, whose letters may run the other way. */
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
