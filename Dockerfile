# One process of Inkpool. Build: docker build -t inkpool . ; run: docker run -p 8080:8080 -v inkpool:/data inkpool
FROM node:22-trixie-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:22-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM node:22-trixie-slim
# psql, pg_dump and pg_restore, for backups of a PostgreSQL database: Debian 13 has those of version 17. The link is for
# the operator's commands: docker exec NAME inkpool host-link
RUN apt-get update \
  && apt-get install -y --no-install-recommends postgresql-client \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir /data && chown node:node /data \
  && ln -s /app/bin/inkpool.mjs /usr/local/bin/inkpool
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /src/dist/server ./dist/server
COPY --from=build /src/dist/web ./dist/web
COPY package.json ./
COPY bin ./bin
COPY supabase/migrations ./supabase/migrations
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT?.trim()||8080)+'/healthz').then(a=>process.exit(a.ok?0:1),()=>process.exit(1))"]
# Node.js is process 1 and handles SIGTERM itself.
CMD ["node", "--heap-growing-percent=300", "--no-memory-reducer", "bin/inkpool.mjs"]
