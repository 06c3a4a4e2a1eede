/** The saved row of a product, read and written as any client does. */

interface Row {
  readonly canvas_json: { readonly objects: readonly SavedObject[] };
}

/** An object as it is saved. */
export type SavedObject = { readonly id: string; readonly type: string } & Record<string, unknown>;

async function keyOf(url: string): Promise<string> {
  const { supabaseAnonKey } = (await (await fetch(`${url}/config.json`)).json()) as {
    readonly supabaseAnonKey: string;
  };
  return supabaseAnonKey;
}

/** The objects of the row; none before the first save. */
export async function savedObjects(url: string): Promise<readonly SavedObject[]> {
  const answer = await fetch(`${url}/rest/v1/canvas_state?select=canvas_json`, {
    headers: { apikey: await keyOf(url) },
  });
  const rows = (await answer.json()) as readonly Row[];
  return rows[0]?.canvas_json.objects ?? [];
}

/** Waits until the row is as wanted, for 30 s at most, and returns its objects. */
export async function untilSaved(
  url: string,
  isThere: (objects: readonly SavedObject[]) => boolean,
): Promise<readonly SavedObject[]> {
  for (const end = Date.now() + 30_000; ;) {
    const objects = await savedObjects(url);
    if (isThere(objects)) return objects;
    if (Date.now() > end)
      throw new Error(`the row has ${objects.map(({ type }) => type).join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
