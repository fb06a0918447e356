# The command line as an image: npm run build && docker build --tag stripewise .
# Run: docker run --rm --user "$(id -u):$(id -g)" --volume "$HOME/.aws:/home/node/.aws:ro" --volume "$PWD:/work" stripewise audit --html report.html
FROM node:24-slim
COPY dist /opt/stripewise
WORKDIR /work
USER node
ENV HOME=/home/node
ENTRYPOINT ["node", "/opt/stripewise/stripewise.js"]
CMD ["--help"]
