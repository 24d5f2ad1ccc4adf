/** What is shown of a file in place of lines: a picture, a text as it reads, or why there is nothing to see. */
import { useEffect, useState, type ReactNode } from "react";
import { useAppearance, useTexts } from "../../../../app/app.ts";
import { Button } from "../../../../ui/controls.tsx";
import { sizeText } from "../../../../ui/files/attached-files.ts";
import { useRead } from "../../../../ui/use-read.ts";
import type { Comparison, ReviewFile, ReviewHttp, Side } from "../change/review-http.ts";
import type { DiffItem } from "../diff/diff-items.ts";
import type { FileViews } from "../diff/file-views.ts";
import { RichDiff } from "./rich-diff.tsx";

export interface FileBodyProps {
  readonly item: Extract<DiffItem, { kind: "body" }>;
  readonly views: FileViews;
  readonly http: ReviewHttp;
  readonly of: Comparison;
}

/** Kinds that a browser shows as a picture, and runs nothing of. */
const PICTURES: ReadonlyMap<string, string> = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["avif", "image/avif"],
  ["bmp", "image/bmp"],
  ["ico", "image/x-icon"],
]);

export function FileBody({ item, views, http, of }: FileBodyProps): ReactNode {
  const texts = useTexts();
  const { workshop, loading } = texts;
  const { language } = useAppearance();
  const { file, view } = item;
  if (view.type === "loading") return <p className="hint diff-note-text">{loading}</p>;
  if (view.type === "failed") {
    return <p className="hint diff-note-text">{workshop.notRead(view.message)}</p>;
  }
  if (view.type === "large") {
    return (
      <div className="row diff-note-text">
        <span className="hint">
          {workshop.fileLarge(view.bytes === undefined ? "" : sizeText(view.bytes, language))}
        </span>
        <Button look="small" onClick={() => views.open(file)}>
          {workshop.fileAnyway}
        </Button>
      </div>
    );
  }
  if (view.type === "rendered") return <Rendered {...{ file, http, of }} />;
  return (
    <div className="file-sides">
      {file.how !== "added" && <Half side="old" {...{ file, http, of }} />}
      {file.how !== "removed" && <Half side="new" {...{ file, http, of }} />}
    </div>
  );
}

interface FileOf {
  readonly file: ReviewFile;
  readonly http: ReviewHttp;
  readonly of: Comparison;
}

function Half({ file, http, of, side }: FileOf & { readonly side: Side }): ReactNode {
  const { review: words, workshop, loading } = useTexts();
  const { language } = useAppearance();
  const path = side === "old" ? (file.from ?? file.path) : file.path;
  const read = useRead(`${of.version} ${of.against} ${path} ${side}`, async () => {
    const blob = await http.file(of, path, side);
    return blob === null ? null : { blob, digest: await digestOf(blob) };
  });
  const end = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const type = PICTURES.get(end);
  return (
    <figure className="file-side">
      <figcaption className="hint">
        {words.sides[side]}
        {read && ` · ${end.toUpperCase()} · ${sizeText(read.blob.size, language)}${read.digest}`}
      </figcaption>
      {read === undefined && <p className="hint">{loading}</p>}
      {read === null && <p className="hint">{workshop.fileGone}</p>}
      {read &&
        (type === undefined ? (
          <p className="hint">{words.binary}</p>
        ) : (
          <Picture blob={read.blob} type={type} label={`${words.sides[side]}: ${path}`} />
        ))}
    </figure>
  );
}

/** Enough of it to tell two files apart. Browsers compute it for pages that came safely or from this machine only. */
async function digestOf(blob: Blob): Promise<string> {
  if (!isSecureContext) return "";
  const digest = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
  return ` · SHA-256 ${new Uint8Array(digest).toHex().slice(0, 12)}`;
}

interface PictureProps {
  readonly blob: Blob;
  readonly type: string;
  readonly label: string;
}

function Picture({ blob, type, label }: PictureProps): ReactNode {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([blob], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob, type]);
  return address === undefined ? null : <img className="file-picture" src={address} alt={label} />;
}

function Rendered({ file, http, of }: FileOf): ReactNode {
  const { workshop, loading } = useTexts();
  const read = async (side: Side): Promise<string | null> =>
    (await (
      await http.file(of, side === "old" ? (file.from ?? file.path) : file.path, side)
    )?.text()) ?? null;
  const texts = useRead(`${of.version} ${of.against} ${file.path}`, () =>
    Promise.all([file.how === "added" ? "" : read("old"), read("new")]),
  );
  if (texts === undefined) return <p className="hint diff-note-text">{loading}</p>;
  const [before, after] = texts;
  if (after === null) return <p className="hint diff-note-text">{workshop.fileGone}</p>;
  return <RichDiff before={before ?? ""} after={after} />;
}
