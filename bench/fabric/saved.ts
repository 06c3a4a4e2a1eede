/** The saved row of a product, read and written as any client does. */

/** An object as it is saved. */
export type SavedObject = { readonly id: string; readonly type: string } & Record<string, unknown>;

export type SavedDrawing = { readonly objects: readonly SavedObject[] } & Record<string, unknown>;

async function keyOf(url: string): Promise<string> {
  const { supabaseAnonKey } = (await (await fetch(`${url}/config.json`)).json()) as {
    readonly supabaseAnonKey: string;
  };
  return supabaseAnonKey;
}

/** The drawing of the row; undefined before the first save. */
async function savedDrawing(url: string): Promise<SavedDrawing | undefined> {
  const answer = await fetch(`${url}/rest/v1/canvas_state?select=canvas_json`, {
    headers: { apikey: await keyOf(url) },
  });
  const rows = (await answer.json()) as readonly { readonly canvas_json: SavedDrawing }[];
  return rows[0]?.canvas_json;
}

/** Waits until the row has such objects, for 30 s at most, and returns its drawing. */
export async function untilSaved(
  url: string,
  isThere: (objects: readonly SavedObject[]) => boolean,
): Promise<SavedDrawing> {
  for (const end = Date.now() + 30_000; ;) {
    const drawing = await savedDrawing(url);
    if (drawing && isThere(drawing.objects)) return drawing;
    if (Date.now() > end)
      throw new Error(`the row has ${drawing?.objects.map(({ type }) => type).join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Has a drawing be the row of a product that has none. */
export async function seedRow(url: string, drawing: SavedDrawing): Promise<void> {
  const answer = await fetch(`${url}/rest/v1/canvas_state`, {
    method: "POST",
    headers: { apikey: await keyOf(url), "content-type": "application/json" },
    body: JSON.stringify({ canvas_json: drawing }),
  });
  if (!answer.ok) throw new Error(`the row was not written: ${answer.status}`);
}
